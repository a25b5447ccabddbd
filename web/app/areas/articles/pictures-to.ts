/** The API address for the pictures of articles. */
export const PICTURES_TO = '/api/content/articles/pictures';
