// Browsers make and use passkeys, and only with script; no library is needed for what they all know how to read.

/** Whether this browser can. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

export type PasskeyUse = 'make' | 'prove';

/** What the person’s device answers to the options of our API, as JSON text; undefined when they thought better of it. */
export async function askPasskey(use: PasskeyUse, options: unknown): Promise<string | undefined> {
  // The API answers what the browser reads.
  const credential =
    use === 'make'
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
            options as PublicKeyCredentialCreationOptionsJSON,
          ),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
        });
  return credential instanceof PublicKeyCredential ? JSON.stringify(credential.toJSON()) : undefined;
}

/** Options from an operation of ours that needs none but the visitor’s session. */
export async function fetchOptions(path: string): Promise<{ options: unknown } | { status: number; code?: string }> {
  const answer = await fetch(path, { method: 'POST' });
  const body = (await answer.json().catch(() => ({}))) as { options?: unknown; code?: string }; // as the contract says
  return answer.ok ? { options: body.options } : { status: answer.status, code: body.code };
}
