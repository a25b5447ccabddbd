/** The pictures that people upload for their texts, as `POST_PICTURES` of the contract, which the browser need not load. */
export const PICTURE_PATH = '/post-pictures/';
/** The same for articles, as `ARTICLE_PICTURES`. */
export const ARTICLE_PICTURE_PATH = '/article-pictures/';
