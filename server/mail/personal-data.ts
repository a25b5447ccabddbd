import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '../personal-data/define.ts';

const SECRET = 'may hold codes and links that sign in';

export const mails = definePersonalTable({
  table: 'mails',
  part: 'mails',
  isAbout: ({ id, email }) => sql`(t.user_id = ${id} or t.recipient = ${email})`,
  columns: {
    id: leftOut('internal key'),
    user_id: leftOut('the person'),
    recipient: 'email',
    kind: 'kind',
    locale: 'language',
    subject: 'title',
    body_text: leftOut(SECRET),
    body_html: leftOut(SECRET),
    headers: leftOut('for mail servers'),
    about_id: leftOut('the id of an invitation, which has its own table'),
    status: 'status',
    attempts: leftOut('the number of attempts'),
    last_error: leftOut('the reply of a mail server'),
    expires_at: leftOut('the expiry of its code'),
    created_at: 'createdAt',
    sent_at: 'sentAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
