import { isActive, isAdministrator, isLockedOut, isPublicServant, type Viewer } from '#server/access/viewer.ts';

/** Public servants may write articles. */
export function canWriteArticles(viewer: Viewer): boolean {
  return isPublicServant(viewer);
}

/** Everyone may read articles, except inactive accounts, which can only be deleted. */
export function canReadArticles(viewer: Viewer): boolean {
  return !isLockedOut(viewer);
}

/**
 * Only the author may edit an article, even if they may no longer write new ones. Administrators must not change it.
 */
export function canEditArticle(viewer: Viewer, article: { authorId: string }): boolean {
  return isActive(viewer) && viewer.id === article.authorId;
}

/** Everyone signed in may report what another person wrote. */
export function canReportArticle(viewer: Viewer, article: { authorId: string }): boolean {
  return isActive(viewer) && viewer.id !== article.authorId;
}

/** Administrators may remove what another person wrote. */
export function canModerateArticle(viewer: Viewer, article: { authorId: string }): boolean {
  return canReportArticle(viewer, article) && isAdministrator(viewer);
}

/** Only the author may delete and restore an article. */
export const canDeleteArticle = canEditArticle;
