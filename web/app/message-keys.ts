import type about from '../../i18n/messages/en/about.json';
import type account from '../../i18n/messages/en/account.json';
import type accountAbout from '../../i18n/messages/en/account-about.json';
import type admin from '../../i18n/messages/en/admin.json';
import type adminApproval from '../../i18n/messages/en/admin-approval.json';
import type adminCertificates from '../../i18n/messages/en/admin-certificates.json';
import type adminCohorts from '../../i18n/messages/en/admin-cohorts.json';
import type adminMedia from '../../i18n/messages/en/admin-media.json';
import type adminContacts from '../../i18n/messages/en/admin-contacts.json';
import type adminContent from '../../i18n/messages/en/admin-content.json';
import type adminEditorials from '../../i18n/messages/en/admin-editorials.json';
import type adminFolder from '../../i18n/messages/en/admin-folder.json';
import type adminModeration from '../../i18n/messages/en/admin-moderation.json';
import type adminOperations from '../../i18n/messages/en/admin-operations.json';
import type adminOverview from '../../i18n/messages/en/admin-overview.json';
import type adminPeople from '../../i18n/messages/en/admin-people.json';
import type adminPublish from '../../i18n/messages/en/admin-publish.json';
import type adminQuestions from '../../i18n/messages/en/admin-questions.json';
import type adminReports from '../../i18n/messages/en/admin-reports.json';
import type adminRoles from '../../i18n/messages/en/admin-roles.json';
import type adminSetup from '../../i18n/messages/en/admin-setup.json';
import type adminSite from '../../i18n/messages/en/admin-site.json';
import type adminTexts from '../../i18n/messages/en/admin-texts.json';
import type adminProducts from '../../i18n/messages/en/admin-products.json';
import type article from '../../i18n/messages/en/article.json';
import type assessment from '../../i18n/messages/en/assessment.json';
import type auth from '../../i18n/messages/en/auth.json';
import type certificate from '../../i18n/messages/en/certificate.json';
import type common from '../../i18n/messages/en/common.json';
import type community from '../../i18n/messages/en/community.json';
import type communityPolls from '../../i18n/messages/en/community-polls.json';
import type content from '../../i18n/messages/en/content.json';
import type compose from '../../i18n/messages/en/compose.json';
import type adminEvents from '../../i18n/messages/en/admin-events.json';
import type evaluation from '../../i18n/messages/en/evaluation.json';
import type events from '../../i18n/messages/en/events.json';
import type editor from '../../i18n/messages/en/editor.json';
import type errors from '../../i18n/messages/en/errors.json';
import type feed from '../../i18n/messages/en/feed.json';
import type follow from '../../i18n/messages/en/follow.json';
import type help from '../../i18n/messages/en/help.json';
import type home from '../../i18n/messages/en/home.json';
import type hub from '../../i18n/messages/en/hub.json';
import type learning from '../../i18n/messages/en/learning.json';
import type learningFinding from '../../i18n/messages/en/learning-finding.json';
import type moderation from '../../i18n/messages/en/moderation.json';
import type notification from '../../i18n/messages/en/notification.json';
import type payment from '../../i18n/messages/en/payment.json';
import type people from '../../i18n/messages/en/people.json';
import type search from '../../i18n/messages/en/search.json';
import type task from '../../i18n/messages/en/task.json';
import type thread from '../../i18n/messages/en/thread.json';
import type transcript from '../../i18n/messages/en/transcript.json';
import type translation from '../../i18n/messages/en/translation.json';

/** Every text the web may show: the keys of the English catalogue, so that a misspelt key does not compile. */
export type MessageKey = keyof (typeof about &
  typeof account &
  typeof accountAbout &
  typeof admin &
  typeof adminApproval &
  typeof adminCertificates &
  typeof adminCohorts &
  typeof adminContacts &
  typeof adminMedia &
  typeof adminContent &
  typeof adminEditorials &
  typeof adminEvents &
  typeof adminFolder &
  typeof adminQuestions &
  typeof adminModeration &
  typeof adminOperations &
  typeof adminOverview &
  typeof adminPeople &
  typeof adminProducts &
  typeof adminRoles &
  typeof adminSetup &
  typeof adminSite &
  typeof adminPublish &
  typeof adminReports &
  typeof adminTexts &
  typeof article &
  typeof assessment &
  typeof auth &
  typeof certificate &
  typeof common &
  typeof community &
  typeof communityPolls &
  typeof compose &
  typeof content &
  typeof editor &
  typeof errors &
  typeof evaluation &
  typeof events &
  typeof feed &
  typeof follow &
  typeof help &
  typeof home &
  typeof hub &
  typeof learning &
  typeof learningFinding &
  typeof moderation &
  typeof notification &
  typeof payment &
  typeof people &
  typeof search &
  typeof task &
  typeof thread &
  typeof transcript &
  typeof translation);
