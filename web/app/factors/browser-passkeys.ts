// Browsers create and use passkeys natively and only with script, so no library is needed.

/** Whether this browser supports passkeys. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
    typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  );
}

export type PasskeyUse = 'make' | 'prove';

/** The device’s response to the API's options, as JSON; undefined when the user cancels. */
export async function askPasskey(use: PasskeyUse, options: unknown): Promise<string | undefined> {
  // The API returns the format that browsers parse.
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

/** Fetches options from an operation that needs only the session. */
export async function fetchOptions(path: string): Promise<{ options: unknown } | { status: number; code?: string }> {
  const answer = await fetch(path, { method: 'POST' });
  const body = (await answer.json().catch(() => ({}))) as { options?: unknown; code?: string }; // shape: the contract
  return answer.ok ? { options: body.options } : { status: answer.status, code: body.code };
}
