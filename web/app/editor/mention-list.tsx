import { useText } from '../text.tsx';
import { Avatar } from '../ui/avatar.tsx';

export type Person = {
  id: string;
  name: string;
  thumbnail: string | null;
  jobTitle: string | null;
  organization: string | null;
};

/** Members of a community whose name contains the text; empty when the request fails. */
export async function findPeople(community: string, name: string, signal: AbortSignal): Promise<Person[]> {
  const search = new URLSearchParams({ count: '6', 'user.name': name });
  try {
    const answer = await fetch(`/api/community/communities/${encodeURIComponent(community)}/members?${search}`, {
      signal,
    });
    const { members } = (answer.ok ? await answer.json() : { members: [] }) as { members: Person[] }; // listMembers
    return members;
  } catch {
    return []; // offline or superseded: the @ stays plain text
  }
}

/** The browser calls the API directly, which returns original picture addresses: those of other hosts are left out. */
function ofThisSite(address: string | null): string | null {
  return address && URL.parse(address, location.href)?.origin === location.origin ? address : null;
}

type Props = { id: string; people: Person[]; index: number; onPick: (person: Person) => void };

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

/** Suggestions below the typed @. The editor keeps the focus and handles the keys. */
export function MentionList({ id, people, index, onPick }: Props) {
  const { t } = useText();
  return (
    <ul id={id} role="listbox" aria-label={t('compose.people')} className="panel w-72 max-w-full overflow-hidden p-1">
      {people.map((person, position) => (
        // The editor that owns this list has the focus and handles the keys.
        <li
          key={person.id}
          id={optionId(id, position)}
          role="option"
          aria-selected={position === index}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded px-2 py-1 hover:bg-accent-soft aria-selected:bg-accent-soft aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
          onPointerDown={(event) => {
            event.preventDefault();
            onPick(person);
          }}
        >
          <Avatar name={person.name} src={ofThisSite(person.thumbnail)} size={32} />
          <span className="min-w-0">
            <bdi className="block truncate font-semibold">{person.name}</bdi>
            <span dir="auto" className="block truncate text-sm text-muted">
              {[person.jobTitle, person.organization].filter(Boolean).join(' · ')}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
