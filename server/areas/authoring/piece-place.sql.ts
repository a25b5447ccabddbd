import type { PieceKind } from '@officium/contract/authoring';
import { type RawBuilder, sql } from 'kysely';

/** The course of a piece, from the columns of `getPiece`. A lesson has the entry of its course. */
export const COURSE_OF: Partial<Record<PieceKind, RawBuilder<unknown>>> = {
  course: sql`e.id`,
  journey: sql`coalesce(live.parent, p.parent)`,
  lesson: sql`e.id`,
};

/** Selects the academy in which a course was begun that is not published yet. */
export const academyOf = (courseId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select b.academy_id from content_pieces b where b.kind = 'course' and b.key = ${courseId}
    and not exists (select from courses c where c.id = b.key)`;
