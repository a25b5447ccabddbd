import { textOf } from '../form/fields.ts';

/** A passkey’s answer as a form sent it; `{}` for what is no JSON, which the API refuses. */
export function passkeyOf<T>(fields: FormData): T {
  try {
    return JSON.parse(textOf(fields, 'passkey')) as T; // the API looks at it
  } catch {
    return {} as T; // the same
  }
}
