import { z } from 'zod';
import { Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Pictures of one article, with its cover. */
export const MAX_ARTICLE_PICTURES = 30;
/** Pictures without an article are deleted after this many days. */
export const UNPLACED_PICTURE_DAYS = 7;
/** The path of a picture, followed by its id. */
export const ARTICLE_PICTURES = '/article-pictures/';

export const uploadArticlePicture = endpoint({
  name: 'uploadArticlePicture',
  service: 'content',
  method: 'POST',
  path: '/articles/pictures',
  auth: 'user',
  extension: true,
  summary: 'Upload a picture for an article (multipart)',
  description: `For public servants, and authors of an article. One part named \`file\`: JPEG, PNG, WebP or GIF (first frame), at most 5 MiB and 25 megapixels; anything else is 400. Stored as WebP of at most 2000 pixels without metadata. Write it into the body as \`![alternative text](url)\`, or give \`url\` as that of the cover, at most ${MAX_ARTICLE_PICTURES} in an article. Until then only the uploader sees it; afterwards everybody who may read the article, and everybody else gets 404. It is deleted after ${UNPLACED_PICTURE_DAYS} days without an article, with its article, and with the account of its uploader. At most 60 an hour (429), and limited in space (413).`,
  upload: 'file',
  replies: {
    201: z.object({
      id: Uuid,
      url: z.string().describe('A path of this site'),
      width: z.int(),
      height: z.int(),
      color: z.string().describe('The average colour, such as #0b6e6e'),
    }),
  },
  errors: ['assets.bad_image', 'content.quota_reached', 'content.storage_full'],
});
