import { sql } from 'kysely';

type Column = 'community_id' | 'activity_id' | 'person_id';

/** The condition that the viewer has muted a thing. `mine`: what they follow and mute. */
export const isMuted = (column: Column, id: string) =>
  sql.raw(`exists (select from mine where mine.level = 'muted' and mine.${column} = ${id})`);

/** The condition that the viewer watches a thing. */
export const isWatched = (column: Column, id: string) =>
  sql.raw(`exists (select from mine where mine.level = 'watching' and mine.${column} = ${id})`);
