import { DATE_ORDERS, ERAS } from '@shop/shared/statement/cell-date.ts'
import { columnLetter } from '@shop/shared/statement/cell-text.ts'
import type { Rows } from '@shop/shared/statement/mapping.ts'
import { readRows } from '@shop/shared/statement/read-rows.ts'
import { Alert, Checkbox, Radio, Select } from 'antd'
import type { ReactNode } from 'react'
import { PreviewLines, ProblemList } from './import-preview.tsx'
import {
  AMOUNT_STYLES,
  type AmountStyle,
  giveRole,
  type MappingDraft,
  mappingOf,
  ROLES,
  type Role,
  rolesFor,
} from './mapping-draft.ts'

const orderNames: Record<(typeof DATE_ORDERS)[number], string> = {
  dmy: 'วัน/เดือน/ปี',
  mdy: 'เดือน/วัน/ปี',
  ymd: 'ปี/เดือน/วัน',
}
const eraNames: Record<(typeof ERAS)[number], string> = { CE: 'ค.ศ. (2026)', BE: 'พ.ศ. (2569)' }

interface Props {
  draft: MappingDraft
  /** The first rows of the file. */
  rows: Rows
  onChange: (draft: MappingDraft) => void
}

/** Lets a person say what the columns of a bank's file hold, and shows at once how its first rows are read. */
export function MappingEditor({ draft, rows, onChange }: Props) {
  const change = (some: Partial<MappingDraft>) => onChange({ ...draft, ...some })
  return (
    <div className="mapping">
      <p className="muted">เลือกแถวหัวตาราง แล้วเลือกว่าแต่ละคอลัมน์คืออะไร ระบบจะแสดงผลที่อ่านได้ด้านล่างทันที</p>
      <div className="mapping-options">
        <Labelled label="วันที่เขียนแบบ">
          <Select
            aria-label="วันที่เขียนแบบ"
            value={draft.dates.order}
            options={DATE_ORDERS.map(value => ({ value, label: orderNames[value] }))}
            onChange={order => change({ dates: { ...draft.dates, order } })}
            style={{ width: 150 }}
          />
        </Labelled>
        <Labelled label="ปีเป็น">
          <Select
            aria-label="ปีเป็น"
            value={draft.dates.era}
            options={ERAS.map(value => ({ value, label: eraNames[value] }))}
            onChange={era => change({ dates: { ...draft.dates, era } })}
            style={{ width: 150 }}
          />
        </Labelled>
        <Labelled label="จำนวนเงิน">
          <Select<AmountStyle>
            aria-label="จำนวนเงิน"
            value={draft.style}
            options={Object.entries(AMOUNT_STYLES).map(([value, { label }]) => ({
              value: value as AmountStyle,
              label,
            }))}
            onChange={style => change({ style, roles: keepRoles(draft.roles, style) })}
            style={{ width: 270 }}
          />
        </Labelled>
        {draft.style === 'direction' && (
          <>
            <Words label="คำที่หมายถึงเงินเข้า" words={draft.inWords} onChange={inWords => change({ inWords })} />
            <Words label="คำที่หมายถึงเงินออก" words={draft.outWords} onChange={outWords => change({ outWords })} />
          </>
        )}
        <Words label="ข้ามแถวที่ขึ้นต้นด้วย" words={draft.skipRows} onChange={skipRows => change({ skipRows })} />
      </div>
      <Checkbox
        checked={draft.headerRow === null}
        onChange={({ target }) => change({ headerRow: target.checked ? null : 0 })}
      >
        ไฟล์นี้ไม่มีแถวหัวตาราง
      </Checkbox>
      <Grid draft={draft} rows={rows} onChange={onChange} />
      <LivePreview draft={draft} rows={rows} />
    </div>
  )
}

/** Drops the roles that an amount style has no use for. */
function keepRoles(roles: MappingDraft['roles'], style: AmountStyle): MappingDraft['roles'] {
  const usable = rolesFor(style)
  return Object.fromEntries(Object.entries(roles).filter(([, role]) => usable.includes(role)))
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <div className="small muted">{label}</div>
      {children}
    </div>
  )
}

function Words({ label, words, onChange }: { label: string; words: string[]; onChange: (words: string[]) => void }) {
  return (
    <Labelled label={label}>
      <Select<string[]>
        mode="tags"
        aria-label={label}
        placeholder="พิมพ์แล้วกด Enter"
        open={false}
        suffixIcon={null}
        maxCount={20}
        value={words}
        onChange={next => onChange(next.map(word => word.trim().slice(0, 100)).filter(Boolean))}
        style={{ width: 220 }}
      />
    </Labelled>
  )
}

/** The file's first rows, with the role above each column and the choice of the heading before each row. */
function Grid({ draft, rows, onChange }: Props) {
  const width = Math.max(0, ...rows.map(cells => cells.length))
  const columns = Array.from({ length: width }, (_, column) => column)
  const roleOptions = rolesFor(draft.style).map(value => ({ value, label: ROLES[value] }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="mapping-grid" aria-label="แถวแรกของไฟล์" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">หัวตาราง</th>
            {columns.map(column => (
              <th key={column} scope="col">
                <div className="note muted">{columnLetter(column)}</div>
                <Select<Role>
                  size="small"
                  allowClear
                  aria-label={`คอลัมน์ ${columnLetter(column)} คือ`}
                  placeholder="ไม่ใช้"
                  value={draft.roles[column]}
                  options={roleOptions}
                  popupMatchSelectWidth={false}
                  onChange={role => onChange(giveRole(draft, column, role ?? null))}
                  style={{ width: 136 }}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file never move
              key={index}
              className={
                draft.headerRow === index ? 'is-header' : index < (draft.headerRow ?? 0) ? 'is-above' : undefined
              }
            >
              <th scope="row">
                <Radio
                  name="header-row"
                  aria-label={`แถว ${index + 1} เป็นหัวตาราง`}
                  checked={draft.headerRow === index}
                  onChange={() => onChange({ ...draft, headerRow: index })}
                >
                  {index + 1}
                </Radio>
              </th>
              {columns.map(column => (
                <td key={column} className={draft.roles[column] ? 'is-used' : undefined} title={cells[column]}>
                  {cells[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function LivePreview({ draft, rows }: Pick<Props, 'draft' | 'rows'>) {
  const result = mappingOf(draft, rows)
  if ('missing' in result) return <Alert type="info" showIcon title={result.missing.join(' · ')} />
  const { lines, problems, problemCount } = readRows(rows, result.mapping, { now: new Date() })
  return (
    <section aria-label="ผลที่อ่านได้">
      <h3 className="small strong">
        อ่านได้ {lines.length} รายการจาก {rows.length} แถวแรก
      </h3>
      {problemCount > 0 && <ProblemList problems={problems} count={problemCount} />}
      <PreviewLines lines={lines.map(({ date, ...line }) => ({ ...line, day: date, isKnown: false }))} pageSize={4} />
    </section>
  )
}
