import { BASIC, FULL_CONTROL, type Level } from '#server/access/can.ts';

/** Who somebody is where something was said. `isTop`: an owner of the community or an administrator. */
export type Standing = { level: Level; isTop: boolean };
export type Author = { authorId: string; isAuthorTop: boolean };

/** Its author, and nobody else. */
export function canEdit(viewerId: string, standing: Standing, thing: Author): boolean {
  return thing.authorId === viewerId && standing.level >= BASIC;
}

/** Its author at `ownLevel`, or a moderator; one who is not an owner has no say over owners and administrators. */
export function canDelete(viewerId: string, standing: Standing, thing: Author, ownLevel: Level = BASIC): boolean {
  if (thing.authorId === viewerId) return standing.level >= ownLevel;
  return standing.level >= FULL_CONTROL && (standing.isTop || !thing.isAuthorTop);
}
