import { textOf } from '../form/fields.ts';
import { keepable } from '../form/state.ts';
import { type Refusal, refuse } from '../server/api.ts';
import { pictureMarkdown, withParagraph } from './picture-markdown.ts';

type Sent<Body> = { ok: true; body: Body } | { ok: false; refusal: Refusal };
type Written = { body: string; refusal?: undefined } | { body?: undefined; refusal: Refusal };

/** The file that was chosen in a field, if any. */
export function chosenFile(fields: FormData, name: string): File | undefined {
  const file = fields.get(name);
  return file instanceof File && file.size > 0 ? file : undefined;
}

/** The refusal of a picture without alternative text. */
export function needsAlt(fields: FormData, path: string): Refusal {
  const message = 'Alternative text is required';
  return refuse({ message, issues: [{ path, message }], values: keepable(fields), status: 400 });
}

/** The submitted text. A picture that was chosen and not inserted is sent by `upload` and comes at its end. */
export async function bodyWithPicture(
  { fields }: { fields: FormData },
  upload: (file: File) => Promise<Sent<{ url: string }>>,
): Promise<Written> {
  const body = textOf(fields, 'body');
  const file = chosenFile(fields, 'picture');
  if (!file) return { body };
  const alt = textOf(fields, 'picture_alt').trim();
  if (alt === '') return { refusal: needsAlt(fields, 'picture_alt') };
  const sent = await upload(file);
  if (!sent.ok) return { refusal: sent.refusal };
  return { body: withParagraph(body, pictureMarkdown({ url: sent.body.url, alt })) };
}

/** The refusal of a text, which keeps the picture that was uploaded for it. */
export function keepBody(refusal: Refusal, body: string): Refusal {
  const { data: state, init } = refusal;
  return refuse({ ...state, values: { ...state.values, body, picture_alt: '' } }, init?.status);
}
