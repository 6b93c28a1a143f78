import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ProposePage } from "@/app/t/[tenant]/requests/[ref]/propose/propose-page";
import { KIND_WORDS } from "@/lib/domain/payload-words";
import { ExpireForm } from "./expire-form";
import { RemindForm } from "./remind-form";
import { ResendForm } from "./resend-form";
import { VoidForm } from "./void-form";

interface Props {
  readonly params: Promise<{ tenant: string; ref: string; kind: string }>;
}

const FORMS = { remind: RemindForm, resend: ResendForm, expire: ExpireForm, void: VoidForm };

function kindOf(text: string): keyof typeof FORMS {
  if (!Object.hasOwn(FORMS, text)) notFound();
  return text as keyof typeof FORMS;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { ref, kind } = await params;
  return { title: `Propose ${KIND_WORDS[kindOf(kind)].noun} of ${ref}` };
}

export default async function ProposeKindPage({ params }: Props) {
  const { tenant, ref, kind: text } = await params;
  const kind = kindOf(text);
  const Form = FORMS[kind];
  return (
    <ProposePage tenant={tenant} about={ref} kind={kind}>
      {(view) => <Form tenant={tenant} view={view} />}
    </ProposePage>
  );
}
