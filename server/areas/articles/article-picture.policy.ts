import { ARTICLE_PICTURES } from '@officium/contract/article-pictures';
import { uploadedPictures } from '#server/text/uploaded-pictures.ts';

export const { idOf: pictureOf, idsIn: picturesIn, sameAs: samePicturesAs } = uploadedPictures(ARTICLE_PICTURES);
