import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';

// The reader of content folders words what it finds in English, as the command line shows it. Here it is told in the
// language of the page; `$1` is the text's {name}, `$2` its {other}.
const KNOWN: readonly [RegExp, MessageKey][] = [
  [/^Required/, 'admin.folder_finding_required'],
  [/^Unknown field$/, 'admin.folder_finding_unknown'],
  [/^No course has the slug (.+)$/, 'admin.folder_finding_no_course'],
  [/^The (?:slug|id) (.+) is already used by (.+)$/, 'admin.folder_finding_used'],
  [/^Has the same id as ([^:]+):/, 'admin.folder_finding_same_id'],
  [/^(?:(.+): )?leaves the folder(?:; the alternative text is shown)?$/, 'admin.folder_finding_outside'],
  [/^(?:(.+): )?no such file$/, 'admin.folder_finding_no_file'],
  [/^(?:(.+): )?no such file; the alternative text is shown$/, 'admin.folder_finding_no_picture'],
  [/^(?:(.+): )?not a PNG, /, 'admin.folder_finding_no_image'],
  [/^Image outside the folder/, 'admin.folder_finding_picture_outside'],
  [/^(?:(.+): )?(?:not UTF-8 text|holds a null character)$/, 'admin.folder_finding_no_text'],
  [/^(?:(.+): )?(?:larger than 10 MiB|the folder holds more than 512 MiB)$/, 'admin.folder_finding_size'],
  [/^At most (\d+) sections$/, 'admin.folder_finding_sections'],
  [/^can_join must not be looser/, 'admin.folder_finding_scopes'],
];

/** What was found in a content folder, in the language of the page; the rarest with the reader's own words after it. */
export function FindingText({ message, field }: { message: string; field: string }) {
  const { rich } = useText();
  for (const [pattern, key] of KNOWN) {
    const match = pattern.exec(message);
    if (match)
      return rich(key, {
        name: <bdi dir="ltr">{match[1] ?? (field || 'content.yaml')}</bdi>,
        other: <bdi dir="ltr">{match[2]}</bdi>,
      });
  }
  return (
    <>
      {/* What is said of no field is said of the file: its YAML could not be read. */}
      {field === ''
        ? rich('admin.folder_finding_yaml', {})
        : rich('admin.folder_finding_form', { name: <bdi dir="ltr">{field}</bdi> })}{' '}
      <span lang="en" dir="ltr" className="text-muted">
        ({message})
      </span>
    </>
  );
}
