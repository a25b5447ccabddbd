import type { Capability } from '@officium/contract/capabilities';
import type { Viewer } from '../server/page-context.ts';

/** The sections of the administration. Those with a capability are open to holders of a role that includes it. */
export const AREAS = [
  { to: '/admin', label: 'admin.overview', capability: 'read-reports' },
  { to: '/admin/cohorts', label: 'admin.cohorts', capability: 'read-cohort' },
  { to: '/admin/products', label: 'admin.products', capability: null },
  { to: '/admin/approval', label: 'admin.approval', capability: null },
  { to: '/admin/people', label: 'admin.people', capability: null },
  { to: '/admin/roles', label: 'admin.roles', capability: null },
  { to: '/admin/certificates', label: 'admin.certificates', capability: 'read-reports' },
  { to: '/admin/content', label: 'admin.content', capability: 'read-content' },
  { to: '/admin/marking', label: 'admin.marking', capability: 'mark-answers' },
  { to: '/admin/moderation', label: 'admin.moderation', capability: 'read-cases' },
  { to: '/admin/site', label: 'admin.site', capability: null },
  { to: '/admin/audit', label: 'admin.audit', capability: 'read-audit' },
  { to: '/admin/operations', label: 'admin.operations', capability: null },
] as const satisfies readonly { to: string; label: string; capability: Capability | null }[];

type Holder = Pick<Viewer, 'role' | 'capabilities'>;

/** Whether the viewer has a capability somewhere; the API decides about the place. */
export function may(viewer: Holder, capability: Capability): boolean {
  return viewer.capabilities.includes(capability);
}

/** The sections that the viewer may open. */
export function areasOf(viewer: Holder): (typeof AREAS)[number][] {
  return AREAS.filter(({ capability }) =>
    capability === null ? viewer.role === 'administrator' : viewer.role === 'administrator' || may(viewer, capability),
  );
}

/** The guide of the help for a page of the administration. */
export function guideOf(pathname: string): 'administrator' | 'author' | 'moderator' | 'operator' {
  if (/^\/admin\/(?:content|events|marking)(?:\/|$)/.test(pathname)) return 'author';
  if (/^\/admin\/moderation(?:\/|$)/.test(pathname)) return 'moderator';
  return /^\/admin\/operations(?:\/|$)/.test(pathname) ? 'operator' : 'administrator';
}
