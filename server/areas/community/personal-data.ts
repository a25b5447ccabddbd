import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const COUNTED = 'counts what others did';
const MADE = 'made from the text';
const COMMUNITY = sql`(select slug from communities where id = t.community_id)`;
const LESSON = sql`(
  select j.course_id || '/' || j.slug || '/' || l.slug from lessons l join journeys j on j.key = l.journey_key
  where l.key = t.lesson_key)`;

export const communityMembers = definePersonalTable({
  table: 'community_members',
  part: 'communities',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal key'),
    community_id: leftOut('`community` names it'),
    user_id: leftOut('the person'),
    role: 'role',
    level: 'level',
    status: 'status',
    joined_at: 'joinedAt',
    expires_on: 'expiresAt',
    creator: 'creator',
    metadata: 'detail',
    updated_at: 'updatedAt',
  },
  also: () => ({ community: COMMUNITY }),
  order: 'joined_at',
  erase: {
    rows: 'deleted',
    async run(db, { id }) {
      await db
        .selectFrom('communities')
        .select('id')
        .where('id', 'in', (qb) => qb.selectFrom('community_members').select('community_id').where('user_id', '=', id))
        .orderBy('id')
        .forUpdate()
        .execute();
      await db
        .with('gone', (qb) =>
          qb.deleteFrom('community_members').where('user_id', '=', id).returning(['community_id', 'status']),
        )
        .updateTable('communities as c')
        .from('gone')
        .set((eb) => ({ member_count: eb('c.member_count', '-', 1) }))
        .whereRef('c.id', '=', 'gone.community_id')
        .where('gone.status', '=', 'active')
        .execute();
    },
  },
});

export const activities = definePersonalTable({
  table: 'activities',
  part: 'writing',
  isAbout: ({ id }) => sql`t.author_id = ${id}`,
  columns: {
    id: 'id',
    community_id: leftOut('`community` names it'),
    lesson_key: leftOut('`lesson` names it'),
    author_id: leftOut('the person'),
    verb: 'kind',
    title: 'title',
    body: 'text',
    body_html: leftOut(MADE),
    body_map: 'texts',
    body_html_map: leftOut(MADE),
    locale: 'language',
    categories: 'topics',
    additional_data: 'detail',
    mentioned: leftOut('the text contains their ids'),
    like_count: leftOut(COUNTED),
    reply_count: leftOut(COUNTED),
    pin_count: leftOut(COUNTED),
    people_points: leftOut(COUNTED),
    hot: leftOut(COUNTED),
    created_at: 'createdAt',
    updated_at: leftOut('as `editedAt`'),
    edited_at: 'editedAt',
    deleted_at: 'deletedAt',
    deleted_by: leftOut('may be another person'),
  },
  also: () => ({
    community: COMMUNITY,
    lesson: LESSON,
    options: sql`(select array_agg(o.body order by o.position) from poll_options o where o.poll_id = t.id)`,
  }),
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'Others answered, so conversations stay, by “Deleted user”. Posts the person had deleted lose their content.',
    async run(db, { id }) {
      await db
        .updateTable('activities')
        .set({ title: null, body: null, body_html: null, body_map: null, body_html_map: null })
        .set({ additional_data: '{}', mentioned: [] })
        .where('author_id', '=', id)
        .where('deleted_at', 'is not', null)
        .execute();
    },
  },
});

export const postPictures = definePersonalTable({
  table: 'post_pictures',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('exported as `file`'),
    key: leftOut('internal name of the file'),
    community_id: leftOut('`community` names it'),
    lesson_key: leftOut('`lesson` names it'),
    user_id: leftOut('the person'),
    object_id: 'activityId',
    width: leftOut('a property of the file'),
    height: leftOut('a property of the file'),
    created_at: 'createdAt',
  },
  also: () => ({ community: COMMUNITY, lesson: LESSON, file: sql`'pictures/' || t.id || '.webp'` }),
  order: 'created_at',
  erase: { rows: 'deleted' },
  async files(db, { id }) {
    const rows = await db.selectFrom('post_pictures').select(['id', 'key']).where('user_id', '=', id).execute();
    return rows.map((row) => ({ key: `content-assets/${row.key}`, name: `pictures/${row.id}.webp` }));
  },
});

export const activityPeople = definePersonalTable({
  table: 'activity_people',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    activity_id: 'activityId',
    user_id: leftOut('the person'),
    kind: 'kind',
    times: 'times',
  },
  order: 'activity_id',
  erase: { rows: 'nameless', why: 'The score of another person’s post depends on it.' },
});

export const reactions = definePersonalTable({
  table: 'reactions',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    activity_id: 'activityId',
    parent_id: 'replyTo',
    depth: leftOut('follows from what it replies to'),
    kind: 'kind',
    user_id: leftOut('the person'),
    body: 'text',
    body_html: leftOut(MADE),
    locale: 'language',
    additional_data: 'detail',
    mentioned: leftOut('the text contains their ids'),
    like_count: leftOut(COUNTED),
    reply_count: leftOut(COUNTED),
    created_at: 'createdAt',
    updated_at: leftOut('as `editedAt`'),
    edited_at: 'editedAt',
    deleted_at: 'deletedAt',
    deleted_by: leftOut('may be another person'),
  },
  order: 'created_at',
  erase: { rows: 'nameless', why: 'Conversations and their counts stay, by “Deleted user”.' },
});

export const pollVotes = definePersonalTable({
  table: 'poll_votes',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    poll_id: 'activityId',
    option_id: 'optionId',
    user_id: leftOut('the person'),
    is_only: leftOut('a setting of the poll'),
    detail: 'detail',
    created_at: 'createdAt',
  },
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'A vote is part of a result: it stays without its author and its detail.',
    async run(db, { id }) {
      await db
        .updateTable('poll_votes')
        .set({ detail: '{}' })
        .where('user_id', '=', id)
        .where('detail', '<>', '{}')
        .execute();
    },
  },
});

export const communityTurns = definePersonalTable({
  table: 'community_turns',
  part: 'communities',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    community_id: leftOut('follows from the posts'),
    user_id: leftOut('the person'),
    last_at: leftOut('follows from the posts'),
    day: leftOut('follows from the posts'),
    post_count: leftOut('follows from the posts'),
  },
  order: 'last_at',
  erase: { rows: 'deleted' },
});
