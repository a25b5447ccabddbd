import { sql } from 'kysely';
import { leftOut } from '#server/personal-data/define.ts';
import { defineRecords, type RecordKind } from './record.format.ts';
import { isAssetKey } from './stored-value.policy.ts';

const communitySettingsRecords = defineRecords({
  file: 'community-settings',
  table: 'community_settings',
  about: 'Rules and limits of a community',
  fields: {
    community_id: 'communityId',
    locale: 'language',
    rules: 'rules',
    rules_html: 'rulesHtml',
    slow_mode_seconds: 'slowModeSeconds',
    posts_per_day: 'postsPerDay',
    updated_at: 'updatedAt',
  },
  order: ['community_id'],
});

const communityMembersRecords = defineRecords({
  file: 'community-members',
  table: 'community_members',
  about: 'Members of communities with their roles',
  fields: {
    community_id: 'communityId',
    user_id: 'personId',
    id: 'id',
    role: 'role',
    level: 'level',
    status: 'status',
    creator: 'isCreator',
    metadata: 'metadata',
    joined_at: 'joinedAt',
    expires_on: 'expiresOn',
    updated_at: 'updatedAt',
  },
  order: ['community_id', 'user_id'],
});

const communityOwnerClaimsRecords = defineRecords({
  file: 'community-owner-claims',
  table: 'community_owner_claims',
  about: 'Addresses whose person becomes an owner',
  fields: {
    community_id: 'communityId',
    email: 'email',
    position: 'position',
  },
  order: ['community_id', 'email'],
});

const postsRecords = defineRecords({
  file: 'posts',
  table: 'activities',
  about: 'Posts, polls and lesson discussions',
  fields: {
    id: 'id',
    community_id: 'communityId',
    lesson_key: 'lessonKey',
    author_id: 'authorId',
    verb: 'kind',
    title: 'title',
    body: 'body',
    body_html: 'bodyHtml',
    body_map: 'bodyMap',
    body_html_map: 'bodyHtmlMap',
    locale: 'language',
    categories: 'categories',
    additional_data: 'additionalData',
    mentioned: 'mentioned',
    like_count: leftOut('a counter, which is rebuilt'),
    reply_count: leftOut('a counter, which is rebuilt'),
    pin_count: leftOut('a counter, which is rebuilt'),
    people_points: leftOut('a rank, which is rebuilt'),
    hot: leftOut('a rank, which is rebuilt'),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    edited_at: 'editedAt',
    deleted_at: 'deletedAt',
    deleted_by: 'deletedBy',
  },
  order: ['id'],
  stored: () => ({ hot: sql`activity_hot(0, r."createdAt")` }),
});

const postPicturesRecords = defineRecords({
  file: 'post-pictures',
  table: 'post_pictures',
  about: 'Pictures in posts and replies; `key` names the file below `files/content-assets/`',
  fields: {
    id: 'id',
    key: 'key',
    community_id: 'communityId',
    lesson_key: 'lessonKey',
    user_id: 'personId',
    object_id: 'objectId',
    width: 'width',
    height: 'height',
    created_at: 'createdAt',
  },
  order: ['id'],
  checked: { key: isAssetKey },
});

const pollsRecords = defineRecords({
  file: 'polls',
  table: 'polls',
  about: 'The rules and counts of a poll; its `id` is that of the post',
  fields: {
    id: 'id',
    allow_multiple_votes: 'allowMultipleVotes',
    deadline_at: 'deadlineAt',
    hide_participants: 'isAnonymous',
    number_of_winners: 'numberOfWinners',
    results_visibility: 'resultsVisibility',
    vote_count: 'voteCount',
    voter_count: 'voterCount',
    counts_only: leftOut('set when an anonymous poll is read back without its votes'),
  },
  order: ['id'],
  // Nobody can vote twice when the votes of an anonymous poll are not known: it ends with the export.
  written: () => ({
    deadline_at: sql`case when t.hide_participants and t.voter_count > 0 then least(t.deadline_at, now()) else t.deadline_at end`,
  }),
  stored: () => ({ counts_only: sql`r."isAnonymous" and r."voterCount" > 0` }),
});

const pollOptionsRecords = defineRecords({
  file: 'poll-options',
  table: 'poll_options',
  about: 'The options of a poll',
  fields: {
    id: 'id',
    poll_id: 'pollId',
    position: 'position',
    body: 'body',
    vote_count: 'voteCount',
  },
  order: ['id'],
});

const pollVotesRecords = defineRecords({
  file: 'poll-votes',
  table: 'poll_votes',
  about: 'Votes in polls that show who voted',
  fields: {
    id: 'id',
    poll_id: 'pollId',
    option_id: 'optionId',
    user_id: 'personId',
    is_only: 'isOnly',
    detail: 'detail',
    created_at: 'createdAt',
  },
  order: ['id'],
  only: sql`exists (select from polls p where p.id = t.poll_id and not p.hide_participants)`,
});

const repliesRecords = defineRecords({
  file: 'replies',
  table: 'reactions',
  about: 'Replies, likes and pins',
  fields: {
    id: 'id',
    activity_id: 'postId',
    parent_id: 'parentId',
    depth: 'depth',
    kind: 'kind',
    user_id: 'personId',
    body: 'body',
    body_html: 'bodyHtml',
    locale: 'language',
    additional_data: 'additionalData',
    mentioned: 'mentioned',
    like_count: leftOut('a counter, which is rebuilt'),
    reply_count: leftOut('a counter, which is rebuilt'),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    edited_at: 'editedAt',
    deleted_at: 'deletedAt',
    deleted_by: 'deletedBy',
  },
  order: ['depth', 'id'],
});

/** In the order in which they are read back. */
export const COMMUNITY_RECORDS: readonly RecordKind[] = [
  communitySettingsRecords,
  communityMembersRecords,
  communityOwnerClaimsRecords,
  postsRecords,
  pollsRecords,
  pollOptionsRecords,
  pollVotesRecords,
  repliesRecords,
  postPicturesRecords,
];
