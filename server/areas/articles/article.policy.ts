import { isActive, isLockedOut, isPublicServant, type Viewer } from '#server/access/viewer.ts';

/** Articles are for everyone to read and for public servants to write. */
export function canWriteArticles(viewer: Viewer): boolean {
  return isPublicServant(viewer);
}

/** Everyone, also without an account; an inactive one may only end itself. */
export function canReadArticles(viewer: Viewer): boolean {
  return !isLockedOut(viewer);
}

/** Only the author, also when they may write no new ones: an administrator may not put words in a person's mouth. */
export function canEditArticle(viewer: Viewer, article: { authorId: string }): boolean {
  return isActive(viewer) && viewer.id === article.authorId;
}
