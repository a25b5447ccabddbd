import { insertMarkdown } from './field-events.ts';
import { pictureMarkdown, withParagraph } from './picture-markdown.ts';

/** The code of the API's refusal; empty when the connection broke off. */
export class PictureRefused extends Error {}

/** An uploaded picture, as the API answers; the contract is not in the browser. */
export type Uploaded = { url: string; width: number; height: number; color?: string };

/** Uploads a picture to the API address `to`. */
export async function uploadPicture(to: string, file: File): Promise<Uploaded> {
  const form = new FormData();
  form.set('file', file);
  const answer = await fetch(to, { method: 'POST', body: form }).catch(() => undefined);
  const body = (await answer?.json().catch(() => undefined)) as (Uploaded & { code?: string }) | undefined;
  if (answer?.status !== 201 || body?.url === undefined) throw new PictureRefused(body?.code ?? '');
  return body;
}

/** Uploads a picture and writes it into the text where the cursor is. */
export async function insertPicture(
  area: HTMLTextAreaElement,
  { to, file, alt }: { to: string; file: File; alt: string },
): Promise<void> {
  const { url } = await uploadPicture(to, file);
  const picture = { url, alt };
  // The editor, if it is open, inserts it itself.
  if (!area.dispatchEvent(new CustomEvent('insert-picture', { detail: picture, cancelable: true }))) return;
  if (insertMarkdown(area, pictureMarkdown(picture))) return;
  const at = area.selectionEnd;
  const before = withParagraph(area.value.slice(0, at), pictureMarkdown(picture));
  area.value = `${before}\n\n${area.value.slice(at).trimStart()}`.trimEnd();
  area.setSelectionRange(before.length, before.length);
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
