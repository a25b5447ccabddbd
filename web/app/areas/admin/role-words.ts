import type { AssignedRole, PlaceKind } from '@officium/contract/roles';
import type { MessageKey } from '../../message-keys.ts';

/** The name of each role, and what it allows. */
export const ROLE_TEXTS: Record<AssignedRole, { name: MessageKey; text: MessageKey }> = {
  auditor: { name: 'admin.roles_is_auditor', text: 'admin.roles_may_auditor' },
  'report-reader': { name: 'admin.roles_is_report_reader', text: 'admin.roles_may_report_reader' },
  'cohort-manager': { name: 'admin.roles_is_cohort_manager', text: 'admin.roles_may_cohort_manager' },
  moderator: { name: 'admin.roles_is_moderator', text: 'admin.roles_may_moderator' },
  'course-owner': { name: 'admin.roles_is_course_owner', text: 'admin.roles_may_course_owner' },
  author: { name: 'admin.roles_is_author', text: 'admin.roles_may_author' },
  translator: { name: 'admin.roles_is_translator', text: 'admin.roles_may_translator' },
};

export const KIND_TEXTS: Record<PlaceKind, MessageKey> = {
  installation: 'admin.roles_installation',
  academy: 'admin.content_kind_academy',
  course: 'admin.content_kind_course',
  cohort: 'admin.overview_cohort',
  community: 'admin.content_kind_community',
};
