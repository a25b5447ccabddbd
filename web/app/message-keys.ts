import type about from '../../i18n/messages/en/about.json';
import type account from '../../i18n/messages/en/account.json';
import type admin from '../../i18n/messages/en/admin.json';
import type article from '../../i18n/messages/en/article.json';
import type auth from '../../i18n/messages/en/auth.json';
import type certificate from '../../i18n/messages/en/certificate.json';
import type common from '../../i18n/messages/en/common.json';
import type community from '../../i18n/messages/en/community.json';
import type errors from '../../i18n/messages/en/errors.json';
import type home from '../../i18n/messages/en/home.json';
import type learning from '../../i18n/messages/en/learning.json';
import type notification from '../../i18n/messages/en/notification.json';
import type people from '../../i18n/messages/en/people.json';
import type search from '../../i18n/messages/en/search.json';
import type task from '../../i18n/messages/en/task.json';

/** Every text the web may show: the keys of the English catalogue, so that a misspelt key does not compile. */
export type MessageKey = keyof (typeof about &
  typeof account &
  typeof admin &
  typeof article &
  typeof auth &
  typeof certificate &
  typeof common &
  typeof community &
  typeof errors &
  typeof home &
  typeof learning &
  typeof notification &
  typeof people &
  typeof search &
  typeof task);
