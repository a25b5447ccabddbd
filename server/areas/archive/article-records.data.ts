import { sql } from 'kysely';
import { defineRecords, type RecordKind } from './record.format.ts';
import { isAssetKey } from './stored-value.policy.ts';

const articlePicturesRecords = defineRecords({
  file: 'article-pictures',
  table: 'article_pictures',
  about: 'Pictures in articles; `key` names the file below `files/content-assets/`',
  fields: {
    id: 'id',
    key: 'key',
    user_id: 'personId',
    article_id: 'articleId',
    width: 'width',
    height: 'height',
    color: 'color',
    created_at: 'createdAt',
  },
  order: ['id'],
  checked: { key: isAssetKey },
});

const articlesRecords = defineRecords({
  file: 'articles',
  table: 'articles',
  about: 'Articles of people',
  fields: {
    id: 'id',
    slug: 'slug',
    author_id: 'authorId',
    title: 'title',
    subtitle: 'subtitle',
    body: 'body',
    body_html: 'bodyHtml',
    headings: 'headings',
    human_translation: 'humanTranslation',
    tags: 'tags',
    cover_image: 'coverImage',
    tldr: 'tldr',
    locale: 'language',
    seo_title: 'seoTitle',
    seo_description: 'seoDescription',
    author_tag: 'authorTag',
    type: 'type',
    minutes: 'minutes',
    published_date: 'publishedDate',
    updated_at: 'updatedAt',
    withdrawn_at: 'withdrawnAt',
    withdrawn_by: 'withdrawnBy',
  },
  order: ['id'],
});

const articleSharesRecords = defineRecords({
  file: 'article-shares',
  table: 'article_shares',
  about: 'Posts that share an article',
  fields: {
    activity_id: 'postId',
    article_id: 'articleId',
  },
  order: ['activity_id'],
});

const discussionSharesRecords = defineRecords({
  file: 'discussion-shares',
  table: 'discussion_shares',
  about: 'Posts that share a lesson discussion',
  fields: {
    activity_id: 'postId',
    discussion_id: 'discussionId',
  },
  order: ['activity_id'],
});

const repeatedSharesRecords = defineRecords({
  file: 'repeated-shares',
  table: 'activity_people',
  about: 'People who shared something again that a post had shared',
  fields: {
    activity_id: 'postId',
    user_id: 'personId',
    kind: 'kind',
    times: 'times',
  },
  order: ['activity_id', 'user_id', 'kind'],
  only: sql`t.kind = 'share'`,
});

const followsRecords = defineRecords({
  file: 'follows',
  table: 'follows',
  about: 'What a person follows',
  fields: {
    user_id: 'personId',
    community_id: 'communityId',
    activity_id: 'postId',
    person_id: 'followedPersonId',
    topic: 'topic',
    level: 'level',
    since: 'since',
  },
  order: ['user_id', 'community_id', 'activity_id', 'person_id', 'topic'],
});

const reportsRecords = defineRecords({
  file: 'reports',
  table: 'content_reports',
  about: 'Reports of content',
  fields: {
    id: 'id',
    community_id: 'communityId',
    activity_id: 'postId',
    object_id: 'objectId',
    user_id: 'personId',
    reason: 'reason',
    rule: 'rule',
    note: 'note',
    status: 'status',
    decided_by: 'decidedBy',
    decided_at: 'decidedAt',
    decision_reason: 'decisionReason',
    decision_note: 'decisionNote',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const moderationDecisionsRecords = defineRecords({
  file: 'moderation-decisions',
  table: 'moderation_decisions',
  about: 'Decisions of moderators, appeals and their outcome',
  fields: {
    id: 'id',
    community_id: 'communityId',
    kind: 'kind',
    object_id: 'objectId',
    activity_id: 'postId',
    author_id: 'authorId',
    decided_by: 'decidedBy',
    decided_at: 'decidedAt',
    reason: 'reason',
    note: 'note',
    rule: 'rule',
    rule_html: 'ruleHtml',
    by_report: 'byReport',
    held: 'removedText',
    appeal_text: 'appealText',
    appealed_at: 'appealedAt',
    outcome: 'outcome',
    outcome_note: 'outcomeNote',
    outcome_by: 'outcomeBy',
    outcome_at: 'outcomeAt',
    is_restored: 'isRestored',
  },
  order: ['id'],
});

const moderationHeldLikesRecords = defineRecords({
  file: 'moderation-held-likes',
  table: 'moderation_held_likes',
  about: 'The likes of a removed text, for its restoration',
  fields: {
    id: 'id',
    decision_id: 'decisionId',
    user_id: 'personId',
    created_at: 'createdAt',
  },
  order: ['id'],
});

/** In the order in which they are read back. */
export const ARTICLE_RECORDS: readonly RecordKind[] = [
  articlesRecords,
  articlePicturesRecords,
  articleSharesRecords,
  discussionSharesRecords,
  repeatedSharesRecords,
  followsRecords,
  reportsRecords,
  moderationDecisionsRecords,
  moderationHeldLikesRecords,
];
