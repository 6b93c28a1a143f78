/** "1 of 2 signers has signed."; null where the platform does not say. */
export function signedSentence(signed: number | null, signers: number | null): string | null {
  if (signed === null || signers === null) return null;
  const of = `${signed} of ${signers} ${signers === 1 ? "signer" : "signers"}`;
  return `${of} ${signed === 1 ? "has" : "have"} signed.`;
}
