"use client";

import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { postJson } from "@/components/api-call";
import { sendJson } from "@/components/frame/send-json";
import { type SavedViewPage, VIEW_NAME_MAX, viewQuery } from "@/lib/domain/saved-view";
import classes from "./saved-views.module.css";

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

interface SavedViewsProps {
  readonly tenant: string;
  readonly page: SavedViewPage;
  readonly views: readonly SavedView[];
  /** The address of the list as it is now, behind the question mark. */
  readonly query: string;
}

/** One's own named filters of a list: open, save, rename, delete. Nobody else sees them. */
export function SavedViews({ tenant, page, views, query }: SavedViewsProps) {
  const now = viewQuery(query);
  const open = views.find((view) => view.query === now) ?? null;
  return (
    <nav aria-label="Your views" className={classes.own}>
      {views.length === 0 ? null : (
        <ul>
          {views.map((view) => (
            <li key={view.id}>
              <Link
                href={`/t/${tenant}/${page}${view.query === "" ? "" : `?${view.query}`}`}
                aria-current={view === open ? "page" : undefined}
              >
                {view.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {open === null ? (
        <SaveView tenant={tenant} page={page} query={now} />
      ) : (
        <ChangeView tenant={tenant} view={open} />
      )}
    </nav>
  );
}

interface SaveProps {
  readonly tenant: string;
  readonly page: SavedViewPage;
  readonly query: string;
}

function SaveView({ tenant, page, query }: SaveProps) {
  const [opened, dialog] = useDisclosure(false);
  const save = async (name: string) => {
    const answer = await postJson(`/api/v1/t/${tenant}/saved-views`, { page, name, query });
    if (answer.kind === "ok") return null;
    return answer.kind === "refused" ? answer.problem.detail : LOST;
  };
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={dialog.open}>
        Save this view
      </Button>
      <NameDialog
        title="Save this view"
        action="Save view"
        opened={opened}
        onClose={dialog.close}
        onName={save}
      />
    </>
  );
}

const LOST = "We did not hear back. Reload to see what was saved.";

function ChangeView({ tenant, view }: { readonly tenant: string; readonly view: SavedView }) {
  const [opened, dialog] = useDisclosure(false);
  const [said, setSaid] = useState<string | null>(null);
  const router = useRouter();
  const url = `/api/v1/t/${tenant}/saved-views/${view.id}`;
  const remove = async () => {
    const problem = await sendJson("DELETE", url);
    setSaid(problem);
    if (problem === null) router.refresh();
  };
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={dialog.open}>
        Rename {view.name}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => void remove()}>
        Delete {view.name}
      </Button>
      {said === null ? null : <span role="alert">{said}</span>}
      <NameDialog
        title={`Rename ${view.name}`}
        action="Rename view"
        opened={opened}
        onClose={dialog.close}
        onName={(name) => sendJson("PATCH", url, { name })}
      />
    </>
  );
}

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Keeps the name; null when it was taken, else what to say. */
  readonly onName: (name: string) => Promise<string | null>;
}

function NameDialog({ title, action, opened, onClose, onName }: NameDialogProps) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const router = useRouter();
  const keep = async () => {
    const wrong = name.trim() === "" ? "Give the view a name." : await onName(name.trim());
    setProblem(wrong);
    if (wrong !== null) return;
    setName("");
    onClose();
    router.refresh();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": "Close without saving" }}
      transitionProps={{ duration: 0 }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <TextInput
          label="Name"
          description="Only you see it. It keeps filters and order, not the page you are on."
          value={name}
          maxLength={VIEW_NAME_MAX}
          autoComplete="off"
          data-autofocus
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="sm">
          <Button type="submit">{action}</Button>
        </Group>
      </form>
    </Modal>
  );
}
