import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const OF_ANOTHER = 'what a moderator decided';

export const contentReports = definePersonalTable({
  table: 'content_reports',
  part: 'communities',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    community_id: leftOut('`community` names it'),
    activity_id: 'activityId',
    object_id: 'object',
    user_id: leftOut('the person'),
    reason: 'reason',
    note: 'text',
    rule: leftOut('a number of a community rule'),
    status: 'status',
    decided_by: leftOut('is another person'),
    decided_at: leftOut(OF_ANOTHER),
    decision_reason: leftOut(OF_ANOTHER),
    decision_note: leftOut(OF_ANOTHER),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  also: () => ({ community: sql`(select slug from communities where id = t.community_id)` }),
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'Moderators still need the report; the reporter’s note is deleted.',
    async run(db, { id }) {
      await db
        .updateTable('content_reports')
        .set({ note: null })
        .where('user_id', '=', id)
        .where('note', 'is not', null)
        .execute();
    },
  },
});

const APPEALED = 'follows from the appeal';

export const moderationDecisions = definePersonalTable({
  table: 'moderation_decisions',
  part: 'communities',
  isAbout: ({ id }) => sql`t.author_id = ${id}`,
  columns: {
    id: 'id',
    community_id: leftOut('`community` names it'),
    kind: 'kind',
    object_id: 'object',
    activity_id: 'activityId',
    author_id: leftOut('the person'),
    decided_by: leftOut('is another person'),
    decided_at: 'createdAt',
    reason: 'reason',
    note: 'detail',
    rule: leftOut('a number of a community rule'),
    rule_html: leftOut('the community’s'),
    by_report: leftOut('what others reported'),
    held: leftOut('`title` and `text` are of it'),
    appeal_text: 'appeal',
    appealed_at: leftOut(APPEALED),
    outcome: 'status',
    outcome_note: leftOut('in another person’s words'),
    outcome_by: leftOut('is another person'),
    outcome_at: 'updatedAt',
    is_restored: leftOut(APPEALED),
  },
  also: () => ({
    community: sql`(select slug from communities where id = t.community_id)`,
    title: sql`t.held ->> 'title'`,
    text: sql`t.held ->> 'body'`,
  }),
  order: 'decided_at',
  erase: {
    rows: 'nameless',
    why: 'Decisions are accounted for and counted; the text of the person is deleted.',
    async run(db, { id }) {
      await db
        .updateTable('moderation_decisions')
        .set({ held: null, appeal_text: null })
        .where('author_id', '=', id)
        .where((eb) => eb.or([eb('held', 'is not', null), eb('appeal_text', 'is not', null)]))
        .execute();
    },
  },
});

export const moderationClaims = definePersonalTable({
  table: 'moderation_claims',
  part: 'communities',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    object_id: leftOut('over within half an hour'),
    user_id: leftOut('the person'),
    until: leftOut('over within half an hour'),
  },
  order: 'until',
  erase: { rows: 'deleted' },
});

export const moderationHeldLikes = definePersonalTable({
  table: 'moderation_held_likes',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    decision_id: leftOut('about another person'),
    user_id: leftOut('the person'),
    created_at: 'createdAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
