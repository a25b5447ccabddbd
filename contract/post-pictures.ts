import { z } from 'zod';
import { SlugParam, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { enrolmentErrors, LESSON, LessonParams } from './lesson-discussions.ts';

/** Pictures of one post or reply. */
export const MAX_POST_PICTURES = 10;
/** The path of a picture, followed by its id. */
export const POST_PICTURES = '/post-pictures/';

const UploadedPicture = z.object({
  id: Uuid,
  url: z.string().describe('A path of this site'),
  width: z.int(),
  height: z.int(),
});
const REFUSALS = ['assets.bad_image', 'content.quota_reached', 'content.storage_full'] as const;

export const uploadPostPicture = endpoint({
  name: 'uploadPostPicture',
  service: 'community',
  method: 'POST',
  path: '/communities/{slug}/pictures',
  auth: 'user',
  extension: true,
  summary: 'Upload a picture for a post or reply (multipart)',
  description: `Needs level basic. One part named \`file\`: JPEG, PNG, WebP or GIF (first frame), at most 5 MiB and 25 megapixels; anything else is 400. Stored as WebP of at most 1600 pixels without metadata. Write it into the body as \`![alternative text](url)\`, at most ${MAX_POST_PICTURES} in a post or reply. Until then only the uploader sees it; afterwards everybody who may read the post or reply, and everybody else gets 404. It is deleted after a day without a post or reply, a week after that was deleted, and with the account of its uploader. At most 60 an hour (429), and limited in space (413).`,
  params: z.object({ slug: SlugParam }),
  upload: 'file',
  replies: { 201: UploadedPicture },
  errors: REFUSALS,
});

export const uploadLessonPicture = endpoint({
  name: 'uploadLessonPicture',
  service: 'community',
  method: 'POST',
  path: `${LESSON}/pictures`,
  auth: 'user',
  extension: true,
  summary: 'Upload a picture for a lesson discussion (multipart)',
  description: `Needs an active enrolment with level basic. As \`uploadPostPicture\`, for the discussions of the lesson and the replies in them: it is seen by those who may read them.`,
  params: LessonParams,
  upload: 'file',
  replies: { 201: UploadedPicture },
  errors: [...enrolmentErrors, ...REFUSALS],
});
