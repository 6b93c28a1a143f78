import { useRef, useState } from "react";
import { type ApiProblem, postJson } from "@/components/api-call";
import type { FormError } from "@/components/error-summary";
import { freshId } from "@/components/fresh-id";
import type { Policy } from "@/lib/domain/policy";

/** Saves once per attempt; a lost answer is looked up by saving the same again, which changes nothing twice. */
export function useSavePolicy(tenant: string, kind: string, onSaved: (version: number) => void) {
  const key = useRef(freshId());
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const [attempt, setAttempt] = useState(0);
  const save = (editedVersion: number, policy: Policy) => {
    setBusy(true);
    setAttempt((count) => count + 1);
    const body = { editedVersion, policy };
    void postJson<{ version: number }>(
      `/api/v1/t/${tenant}/policies/${kind}`,
      body,
      key.current,
    ).then((answer) => {
      setBusy(false);
      if (answer.kind === "lost") {
        setErrors([{ field: null, sentence: LOST }]);
        return;
      }
      key.current = freshId();
      if (answer.kind === "refused") return setErrors(errorsOf(answer.problem));
      setErrors([]);
      onSaved(answer.data.version);
    });
  };
  return { save, busy, errors, attempt };
}

const LOST = "We did not hear back. The list of versions shows whether it was saved.";

function errorsOf({ fields, detail }: ApiProblem): readonly FormError[] {
  if (!fields || fields.length === 0) return [{ field: null, sentence: detail }];
  return fields.map(({ path, sentence }) => ({ field: path.replace(/^policy\./, ""), sentence }));
}
