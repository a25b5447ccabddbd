import { textOf } from '../form/fields.ts';

/** The submitted passkey response; `{}` when it is not JSON, which the API refuses. */
export function passkeyOf<T>(fields: FormData): T {
  try {
    return JSON.parse(textOf(fields, 'passkey')) as T; // validated by the API
  } catch {
    return {} as T; // as above
  }
}
