import { Link } from 'react-router';
import type { ApprovalExplanation } from '@officium/contract/approval-review';
import { useText } from '../../text.tsx';
import { Part } from '../../ui/part.tsx';
import { ruleTypeWord } from './approval-words.ts';

type Props = { email: string; explained: ApprovalExplanation };

/** Why no auto-approval rule approved a registration. */
export function PersonApproval({ email, explained }: Props) {
  const text = useText();
  const { t } = text;
  const { reason, rule, near, rules } = explained;
  const count = rules.domain + rules.email + rules.partialDomain;
  return (
    <Part id="why" title={t('admin.people_why')}>
      <p className="max-w-prose">{t(`admin.people_why_${reason}`)}</p>
      <p className="mt-2 max-w-prose">
        {rule ? (
          <RuleLink id={rule.id}>
            {t('admin.people_why_matches', { value: rule.value, type: ruleTypeWord(text, rule.type) })}
          </RuleLink>
        ) : count > 0 && reason !== 'approved' && reason !== 'no_rule' ? (
          t('admin.people_why_no_rule')
        ) : null}
      </p>
      {near.length ? <Nearest email={email} near={near} /> : null}
      <p className="mt-2">
        <Link to="/admin/approval" className="link inline-block py-1.5">
          {t('admin.people_why_rules', { count })}
        </Link>
      </p>
    </Part>
  );
}

function RuleLink({ id, children }: { id: string; children: string }) {
  return (
    <Link to={`/admin/approval/${id}`} className="link inline-block py-1 wrap-anywhere">
      {children}
    </Link>
  );
}

function Nearest({ email, near }: { email: string; near: ApprovalExplanation['near'] }) {
  const text = useText();
  const { t } = text;
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return (
    <>
      <h3 className="mt-4 text-base font-semibold">{t('admin.people_why_near')}</h3>
      <ul className="mt-1 grid max-w-prose gap-2">
        {near.map(({ rule, why }) => (
          <li key={rule.id} className="border-t border-line pt-2">
            <RuleLink id={rule.id}>{`${rule.value} (${ruleTypeWord(text, rule.type)})`}</RuleLink>
            <p className="text-sm wrap-anywhere text-muted">
              {t(`admin.approval_test_near_${why}`, { value: rule.value, domain })}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
