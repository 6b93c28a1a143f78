import type { Metadata } from "next";
import { ProposePage } from "@/app/t/[tenant]/requests/[ref]/propose/propose-page";
import { ProposeForm } from "./propose-form";

interface Props {
  readonly params: Promise<{ tenant: string; ref: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { ref } = await params;
  return { title: `Propose extension of ${ref}` };
}

export default async function ProposeExtensionPage({ params }: Props) {
  const { tenant, ref } = await params;
  return (
    <ProposePage tenant={tenant} about={ref} kind="extend">
      {(view) => <ProposeForm tenant={tenant} initial={view} />}
    </ProposePage>
  );
}
