import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '../personal-data/define.ts';

const SECRET = 'may hold codes and links that sign in';

export const mails = definePersonalTable({
  table: 'mails',
  part: 'mails',
  isAbout: ({ id, email }) => sql`(t.user_id = ${id} or t.recipient = ${email})`,
  columns: {
    id: leftOut('of the row'),
    user_id: leftOut('the person'),
    recipient: 'email',
    kind: 'kind',
    locale: 'language',
    subject: 'title',
    body_text: leftOut(SECRET),
    body_html: leftOut(SECRET),
    headers: leftOut('for mail servers'),
    about_id: leftOut('the invitation it carries, which has its own table'),
    status: 'status',
    attempts: leftOut('how often it was tried'),
    last_error: leftOut('what a mail server answered'),
    expires_at: leftOut('when a code in it ends'),
    created_at: 'createdAt',
    sent_at: 'sentAt',
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
