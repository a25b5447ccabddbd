import { sql } from 'kysely';
import { leftOut } from '#server/personal-data/define.ts';
import { defineRecords, type RecordKind } from './record.format.ts';

const notificationsRecords = defineRecords({
  file: 'notifications',
  table: 'notifications',
  about: 'Notifications of the last months',
  fields: {
    id: 'id',
    user_id: 'personId',
    event: 'event',
    object_id: 'objectId',
    activity_id: 'postId',
    since_id: 'sinceId',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    read_at: 'readAt',
    mailed_at: 'mailedAt',
    pushed_at: 'pushedAt',
  },
  order: ['id'],
  // The outcome of an anonymous poll is sent to its voters.
  only: sql`(t.event <> 'poll_outcome' or exists (
    select from polls p where p.id = t.object_id and not p.hide_participants))`,
});

const sentNoticesRecords = defineRecords({
  file: 'sent-notices',
  table: 'notification_claims',
  about: 'Notices that are sent once',
  fields: {
    name: 'name',
    created_at: 'createdAt',
  },
  order: ['name'],
});

const assistantThreadsRecords = defineRecords({
  file: 'assistant-threads',
  table: 'ai_threads',
  about: 'Conversations with the assistant',
  fields: {
    id: 'id',
    user_id: 'personId',
    lesson_key: 'lessonKey',
    job_title: 'jobTitle',
    job: 'job',
    title: 'title',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const assistantMessagesRecords = defineRecords({
  file: 'assistant-messages',
  table: 'ai_messages',
  about: 'The messages of a conversation',
  fields: {
    id: 'id',
    thread_id: 'threadId',
    role: 'role',
    content: 'content',
    quotations: 'quotations',
    made_by: 'madeBy',
    created_at: 'createdAt',
  },
  order: ['id'],
});

const machineTranslationsRecords = defineRecords({
  file: 'machine-translations',
  table: 'machine_translations',
  about: 'Translations of posts, replies, polls and articles',
  fields: {
    thing_id: 'thingId',
    part: 'part',
    source: 'source',
    target: 'target',
    engine: 'engine',
    content_hash: 'contentHash',
    translation: 'translation',
    made_at: 'madeAt',
  },
  order: ['thing_id', 'target', 'engine', 'part'],
});

const auditLogRecords = defineRecords({
  file: 'audit-log',
  table: 'audit_log',
  about: 'Actions of administrators and moderators',
  fields: {
    id: 'id',
    actor: 'actor',
    action: 'action',
    object: 'object',
    detail: 'detail',
    request_id: 'requestId',
    created_at: 'createdAt',
    position: leftOut('a place in the chain of one database; entries are chained anew'),
    hash: leftOut('a link of the chain of one database; entries are chained anew'),
  },
  order: ['id'],
  // The log outlives a restoration.
  mayExist: true,
});

/** In the order in which they are read back. */
export const MESSAGE_RECORDS: readonly RecordKind[] = [
  notificationsRecords,
  sentNoticesRecords,
  assistantThreadsRecords,
  assistantMessagesRecords,
  machineTranslationsRecords,
  auditLogRecords,
];
