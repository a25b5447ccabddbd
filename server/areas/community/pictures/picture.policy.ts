import { POST_PICTURES } from '@officium/contract/post-pictures';
import { uploadedPictures } from '#server/text/uploaded-pictures.ts';

export const { idOf: pictureOf, idsIn: picturesIn, sameAs: samePicturesAs } = uploadedPictures(POST_PICTURES);
