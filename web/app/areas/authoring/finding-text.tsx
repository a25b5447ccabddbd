import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';

// The importer reports findings in English, as the command line prints them. They are translated here; `$1` becomes
// {name} of the message and `$2` {other}.
const KNOWN: readonly [RegExp, MessageKey][] = [
  [/^Required/, 'admin.folder_finding_required'],
  [/^Unknown field$/, 'admin.folder_finding_unknown'],
  [/^No course has the slug (.+)$/, 'admin.folder_finding_no_course'],
  [/^The (?:slug|id) (.+) is already used by (.+)$/, 'admin.folder_finding_used'],
  [/^Has the same id as ([^:]+):/, 'admin.folder_finding_same_id'],
  [/^(?:(.+): )?leaves the folder(?:; the alternative text is shown)?$/, 'admin.folder_finding_outside'],
  [/^(?:(.+): )?no such file$/, 'admin.folder_finding_no_file'],
  [/^(?:(.+): )?no such file; the alternative text is shown$/, 'admin.folder_finding_no_picture'],
  [/^(?:(.+): )?not a recording or document /, 'admin.folder_finding_no_media'],
  [/^(?:(.+): )?not a PNG, /, 'admin.folder_finding_no_image'],
  [/^Image outside the folder/, 'admin.folder_finding_picture_outside'],
  [/^(?:(.+): )?(?:not UTF-8 text|holds a null character)$/, 'admin.folder_finding_no_text'],
  [/^(?:(.+): )?(?:larger than 10 MiB|the folder holds more than 512 MiB)$/, 'admin.folder_finding_size'],
  [/^At most (\d+) sections$/, 'admin.folder_finding_sections'],
  [/^can_join must not be looser/, 'admin.folder_finding_scopes'],
];

/** Findings that the publishing check has sentences for; `$1` follows the sentence. */
const CHECKED: readonly [RegExp, MessageKey][] = [
  [/^Shown as a link: (.+)$/, 'admin.publish_rule_media-link'],
  [/^Left out: (.+)$/, 'admin.publish_rule_left-out'],
  [/^Has no content; /, 'admin.publish_rule_translation-empty'],
  [/^Headings differ from the source language: (.+)$/, 'admin.publish_rule_translation-headings'],
  [/^Pictures differ from the source language: (.+)$/, 'admin.publish_rule_translation-images'],
  [/^Words differ from the source language: (.+)$/, 'admin.publish_rule_translation-length'],
  [/^Links differ from the source language: (.+)$/, 'admin.publish_rule_translation-links'],
  [/^Questions differ from the source language: (.+)$/, 'admin.publish_rule_translation-quiz'],
  [/^Setting of a block without effect: (.+)$/, 'admin.publish_rule_block-setting'],
  [/^Block without a title: (.+)$/, 'admin.publish_rule_block-title'],
  [/^Block without a closing line: (.+)$/, 'admin.publish_rule_block-unclosed'],
  [/^Looks like a block but is shown as typed: (.+)$/, 'admin.publish_rule_block-unknown'],
  [/^Assessment draws more questions than there are: (.+)$/, 'admin.publish_rule_assessment-draw'],
  [/^Assessment without questions/, 'admin.publish_rule_assessment-questions'],
  [/^Question without a right answer: (.+)$/, 'admin.publish_rule_quiz-answer'],
  [/^Question whose gaps do not stand in the text once each: (.+)$/, 'admin.publish_rule_quiz-gaps'],
  [/^Question whose criteria do not have points from 1 to 100 together: (.+)$/, 'admin.publish_rule_quiz-points'],
  [/^Question with fewer than two options: (.+)$/, 'admin.publish_rule_quiz-options'],
  [/^Question without text: (.+)$/, 'admin.publish_rule_quiz-question'],
  [/^Question with more than 20 pairs, answers or items: (.+)$/, 'admin.publish_rule_quiz-size'],
];

/** A finding in the language of the page; rare ones also show the importer's English text. */
export function FindingText({ message, field }: { message: string; field: string }) {
  const { rich, t } = useText();
  for (const [pattern, key] of KNOWN) {
    const match = pattern.exec(message);
    if (match)
      return rich(key, {
        name: <bdi dir="ltr">{match[1] ?? (field || 'content.yaml')}</bdi>,
        other: <bdi dir="ltr">{match[2]}</bdi>,
      });
  }
  for (const [pattern, key] of CHECKED) {
    const match = pattern.exec(message);
    if (match)
      return (
        <>
          {t(key)}
          {match[1] ? (
            <>
              : <bdi dir="ltr">{match[1]}</bdi>
            </>
          ) : null}
        </>
      );
  }
  return (
    <>
      {/* A finding without a field is about the whole file: its YAML could not be parsed. */}
      {field === ''
        ? rich('admin.folder_finding_yaml', {})
        : rich('admin.folder_finding_form', { name: <bdi dir="ltr">{field}</bdi> })}{' '}
      <span lang="en" dir="ltr" className="text-muted">
        ({message})
      </span>
    </>
  );
}
