import { isPublicServant, type Viewer } from '#server/access/viewer.ts';

/** Articles are for everyone to read and for public servants to write. */
export function canWriteArticles(viewer: Viewer): boolean {
  return isPublicServant(viewer);
}

/** Only the author, and only while they may write: an administrator may not put words in a person's mouth. */
export function canEditArticle(viewer: Viewer, article: { authorId: string }): boolean {
  return canWriteArticles(viewer) && viewer.kind === 'user' && viewer.id === article.authorId;
}
