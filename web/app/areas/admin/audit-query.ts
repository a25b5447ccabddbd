/** Reads the audit query from the address. Days start at midnight UTC. */
export function auditQueryOf(url: URL): Record<'actor' | 'action' | 'object' | 'from' | 'to', string | undefined> {
  const exact = (name: string) => url.searchParams.get(name)?.trim().slice(0, 256) || undefined;
  const day = (name: string) => {
    const given = url.searchParams.get(name) ?? '';
    return /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given)) ? `${given}T00:00:00Z` : undefined;
  };
  return { actor: exact('actor'), action: exact('action'), object: exact('object'), from: day('from'), to: day('to') };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The page of an actor or of an object; undefined when there is none. */
export function placeOfActor(actor: string): string | undefined {
  return UUID.test(actor) ? `/people/${actor}` : undefined;
}
/** `isOffice`: the viewer may open every page of the administration. */
export function placeOfObject(action: string, object: string, isOffice = true): string | undefined {
  if (!UUID.test(object)) return undefined;
  if (!isOffice) return OF_PEOPLE.includes(action) ? `/people/${object}` : undefined;
  if (OF_IMPORTS.includes(action)) return `/admin/content/folder/${object}`;
  if (OF_COHORTS.includes(action)) return `/admin/cohorts/${object}`;
  return OF_PEOPLE.includes(action) ? `/people/${object}` : undefined;
}

const OF_IMPORTS = ['content.check-zip', 'content.begin-import', 'content.import'];
const OF_COHORTS = [
  'admin.add-cohort-user',
  'admin.archive-cohort',
  'admin.attach-product',
  'admin.choose-column',
  'admin.create-cohort',
  'admin.detach-product',
  'admin.read-addresses',
  'admin.read-file',
  'admin.remove-cohort-member',
  'admin.rename-cohort',
  'admin.reopen-cohort',
  'admin.resend-invitations',
  'admin.set-cohort-products',
  'admin.undo-upload',
  'admin.update-cohort',
  'admin.upload-emails',
  'admin.withdraw-invitation',
];
const OF_PEOPLE = [
  'admin.end-sessions',
  'admin.give-role',
  'admin.read-person',
  'admin.take-role',
  'auth.change-role-by-provider',
  'auth.change-second-factor',
  'auth.create-account',
  'auth.link-provider',
  'auth.make-administrator',
  'auth.mint-token',
  'community.change-member',
  'community.remove-member',
  'enrolment.replace-referrals',
  'learner.give-product',
  'learner.update-product',
  'people.create-user',
  'people.decide-registration',
  'people.set-badges',
  'people.update-user',
];
