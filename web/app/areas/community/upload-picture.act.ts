import { uploadPostPicture } from '@officium/contract/post-pictures';
import type { act } from '../../server/api.ts';

type Args = Awaited<ReturnType<typeof act>>;

/** Uploads a picture that was sent with a form of the community. */
export function pictureSender({ attempt }: Args, slug: string) {
  return (file: File) => attempt(uploadPostPicture, { params: { slug }, file });
}
