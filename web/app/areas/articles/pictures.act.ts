import { uploadArticlePicture } from '@officium/contract/article-pictures';
import { textOf } from '../../form/fields.ts';
import { keepable } from '../../form/state.ts';
import { bodyWithPicture, chosenFile, needsAlt } from '../../editor/picture.act.ts';
import { type act, refuse, type Refusal, viewerOf } from '../../server/api.ts';

type Args = Awaited<ReturnType<typeof act>>;

/**
 * Uploads the pictures that were sent with the form, without script, and writes them into its fields. Returns a refusal,
 * which keeps what was uploaded.
 */
export async function placeSentPictures(args: Args, context: Parameters<typeof act>[1]): Promise<Refusal | undefined> {
  const { attempt, fields } = args;
  const upload = (file: File) => attempt(uploadArticlePicture, { file });
  const written = await bodyWithPicture(args, upload);
  if (written.refusal) return written.refusal;
  fields.set('body', written.body);
  if (chosenFile(fields, 'picture')) fields.set('picture_alt', '');
  const cover = chosenFile(fields, 'cover_file');
  if (!cover) return undefined;
  if (textOf(fields, 'cover_description').trim() === '') return needsAlt(fields, 'cover_description');
  const sent = await upload(cover);
  if (!sent.ok) return refuse({ ...sent.refusal.data, values: keepable(fields) }, sent.refusal.init?.status);
  for (const part of ['url', 'width', 'height', 'color'] as const) fields.set(`cover_${part}`, String(sent.body[part]));
  const viewer = await viewerOf(context);
  const credit = { authorName: viewer?.name, authorLink: viewer && `${args.origin}/people/${viewer.id}` };
  for (const [part, value] of Object.entries(credit))
    if (value && textOf(fields, `cover_${part}`) === '') fields.set(`cover_${part}`, value);
  return undefined;
}
