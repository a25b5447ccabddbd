import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const COUNTED = 'counts what others did';
const MADE = 'made from the text';
const COMMUNITY = sql`(select slug from communities where id = t.community_id)`;

export const communityMembers = definePersonalTable({
  table: 'community_members',
  part: 'communities',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
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
      await sql`
        select 1 from communities where id in (select community_id from community_members where user_id = ${id})
        order by id for update`.execute(db);
      await sql`
        with gone as (delete from community_members where user_id = ${id} returning community_id, status)
        update communities c set member_count = member_count - 1
        from gone where c.id = gone.community_id and gone.status = 'active'`.execute(db);
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
    mentioned: leftOut('the text says whom by id'),
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
    lesson: sql`(
      select j.course_id || '/' || j.slug || '/' || l.slug from lessons l join journeys j on j.key = l.journey_key
      where l.key = t.lesson_key)`,
    options: sql`(select array_agg(o.body order by o.position) from poll_options o where o.poll_id = t.id)`,
  }),
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'Others answered: conversations stay, by “Deleted user”. What the person had deleted goes.',
    async run(db, { id }) {
      await sql`
        update activities set title = null, body = null, body_html = null, body_map = null, body_html_map = null,
          additional_data = '{}', mentioned = '{}'
        where author_id = ${id} and deleted_at is not null`.execute(db);
    },
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
  erase: { rows: 'nameless', why: 'It makes the score of what somebody else posted.' },
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
    mentioned: leftOut('the text says whom by id'),
    like_count: leftOut(COUNTED),
    reply_count: leftOut(COUNTED),
    created_at: 'createdAt',
    updated_at: leftOut('as `editedAt`'),
    edited_at: 'editedAt',
    deleted_at: 'deletedAt',
    deleted_by: leftOut('may be another person'),
  },
  order: 'created_at',
  erase: { rows: 'nameless', why: 'Conversations and what was counted of them stay, by “Deleted user”.' },
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
    is_only: leftOut('of the poll'),
    detail: 'detail',
    created_at: 'createdAt',
  },
  order: 'created_at',
  erase: {
    rows: 'nameless',
    why: 'A vote is a part of a result: it stays, of nobody, without the words it came with.',
    async run(db, { id }) {
      await sql`update poll_votes set detail = '{}' where user_id = ${id} and detail <> '{}'`.execute(db);
    },
  },
});

export const communityTurns = definePersonalTable({
  table: 'community_turns',
  part: 'communities',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    community_id: leftOut('what was written there says the same'),
    user_id: leftOut('the person'),
    last_at: leftOut('what was written there says the same'),
    day: leftOut('the same'),
    post_count: leftOut('the same'),
  },
  order: 'last_at',
  erase: { rows: 'deleted' },
});
