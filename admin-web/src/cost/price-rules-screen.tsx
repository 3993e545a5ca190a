import { getPriceRules } from '@shop/shared/cost/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form } from 'antd'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { useClient } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { draftsOf, type RuleDrafts, type Rules, rulesOf, targetsOf } from './rule-draft.ts'
import { RuleFields } from './rule-fields.tsx'
import { RulePreview } from './rule-preview.tsx'
import { type RuleChange, type RuleWish, useRuleChange } from './use-rule-change.ts'
import './cost.css'

/** Shows the price rules of the game in the address. */
export function PriceRulesScreen() {
  const gameId = Number(useParams().id)
  if (!Number.isInteger(gameId) || gameId < 1) return <NotFoundScreen />
  return <PriceRules key={gameId} gameId={gameId} />
}

function PriceRules({ gameId }: { gameId: number }) {
  const client = useClient()
  const query = useQuery({
    ...client.query(getPriceRules, { params: { gameId } }),
    // What is being typed stays as it is.
    refetchOnWindowFocus: false,
  })
  if (query.error instanceof AppError && query.error.code === 'GAME_NOT_FOUND') return <NotFoundScreen />
  return (
    <>
      <Link to={`/management/package/${gameId}`} className="row back-link">
        <ArrowLeft size={16} aria-hidden />
        แพ็กเกจของเกม
      </Link>
      <PageHead
        title={query.data ? `กฎราคา ${query.data.gameName}` : 'กฎราคา'}
        about="ราคาคิดจากต้นทุน และปรับเองทุกครั้งที่ต้นทุนเปลี่ยน"
      />
      <Loaded query={query} rows={8}>
        {rules => <Editor key={JSON.stringify(rules)} gameId={gameId} rules={rules} />}
      </Loaded>
    </>
  )
}

type Values = RuleDrafts & { followsCost: boolean }

function Editor({ gameId, rules }: { gameId: number; rules: Rules }) {
  const [form] = Form.useForm<Values>()
  const [wish, setWish] = useState<RuleWish | null>(null)
  const change = useRuleChange(gameId, wish, () => setWish(null))
  const targets = targetsOf(rules)
  const { supplied, following } = rules
  const isPart = following > 0 && following < supplied
  const preview = ({ followsCost, ...drafts }: Values) =>
    setWish({ rules: rulesOf(drafts, rules), ...(form.isFieldTouched('followsCost') && { followsCost }) })
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ ...draftsOf(rules), followsCost: supplied > 0 && following === supplied }}
      // Any edit discards the preview, so that what is saved is always what was shown.
      onValuesChange={() => setWish(null)}
      onFinish={() => preview(form.getFieldsValue(true))}
    >
      <section className="card" aria-label="กฎราคา">
        <div className="card-part">
          <Form.Item name="followsCost" valuePropName="checked" noStyle>
            <Checkbox disabled={supplied === 0} indeterminate={isPart && !form.isFieldTouched('followsCost')}>
              ให้ต้นทุนตามราคาผู้จำหน่ายลำดับแรก
            </Checkbox>
          </Form.Item>
          <p className="note muted">
            {supplied === 0
              ? 'เกมนี้ยังไม่มีแพ็กเกจที่ตั้งผู้จำหน่ายไว้'
              : `ตามอยู่ ${following.toLocaleString('en-US')} จาก ${supplied.toLocaleString('en-US')} แพ็กเกจที่มีผู้จำหน่าย`}
          </p>
        </div>
        {targets.map(({ target, label }) => (
          <RuleFields key={target} target={target} label={label} />
        ))}
        <div className="card-part row">
          <span className="grow note muted">
            กฎปรับเฉพาะราคาที่มีอยู่แล้ว ไม่เปิดขายแทน ราคาล่วงหน้าคงเดิม ยังไม่มีอะไรเปลี่ยนจนกว่าจะยืนยัน
          </span>
          <Button htmlType="submit" type={wish ? 'default' : 'primary'}>
            ดูตัวอย่าง
          </Button>
        </div>
      </section>
      {wish && (
        <section className="card" aria-label="ตัวอย่าง">
          <div className="card-part">
            <SaveBar change={change} />
            <RulePreview
              change={change}
              targets={targets.filter(({ target }) => wish.rules.some(rule => rule.target === target))}
            />
          </div>
        </section>
      )}
    </Form>
  )
}

function SaveBar({ change }: { change: RuleChange }) {
  const { changed, needsSecond, canSave, isSaving, failure, save } = change
  return (
    <>
      <FailureNote title={failure && 'บันทึกไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก'} text={failure} />
      {needsSecond > 0 && (
        <Alert
          type="warning"
          showIcon
          className="form-alert"
          title={`${needsSecond.toLocaleString('en-US')} แพ็กเกจยังขาดทุนเกินที่ตกลงไว้ เมื่อปรับราคาต้องมีผู้จัดการอีกคนยืนยัน`}
        />
      )}
      <div className="row form-alert">
        <span className="grow">
          {canSave && (changed > 0 ? `ราคาเปลี่ยน ${changed.toLocaleString('en-US')} แพ็กเกจ` : 'ราคาไม่เปลี่ยน')}
        </span>
        <Button disabled={!canSave} loading={isSaving} onClick={() => save(false)}>
          บันทึกกฎอย่างเดียว
        </Button>
        {changed > 0 && (
          <Button type="primary" disabled={!canSave} loading={isSaving} onClick={() => save(true)}>
            บันทึกและปรับราคา {changed.toLocaleString('en-US')} แพ็กเกจ
          </Button>
        )}
      </div>
    </>
  )
}
