import { SIGN_IN_PROVIDER } from '@shop/shared/account/account.ts'
import { getAccountRecord } from '@shop/shared/account/record-endpoints.ts'
import { lookUp } from '@shop/shared/table.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { LinkWords, useLinks } from './links.tsx'
import type { PanelProps } from './panel.ts'
import { useClient } from './session.tsx'
import { placeOfAgent, StaffLink } from './staff-link.tsx'

export const useRecord = (uid: string) => useQuery(useClient().query(getAccountRecord, { params: { uid } }))

/** How somebody comes in: their ways to sign in, when they last did, and the keys of their machines. */
export function AccessPanel({ user }: PanelProps) {
  const record = useRecord(user.uid)
  const links = useLinks(user.uid)
  const ways = user.providers.map(way => lookUp(SIGN_IN_PROVIDER, way)?.name ?? way)
  return (
    <>
      <Loaded query={record} rows={3}>
        {({ lastSignInAt, keys }) => (
          <Facts
            facts={[
              ['เข้าสู่ระบบด้วย', ways.join(', ')],
              ['เข้าสู่ระบบล่าสุด', lastSignInAt && <span className="number">{formatDateTimeSeconds(lastSignInAt)}</span>],
              [
                'วันที่สมัคร',
                <span key="since" className="number">
                  {formatDateTimeSeconds(user.createdDate)}
                </span>,
              ],
              keys > 0 && [
                'คีย์ API ที่ใช้ได้',
                <StaffLink key="keys" page="agentDetails" to={placeOfAgent(user.uid)}>
                  {keys} คีย์
                </StaffLink>,
              ],
            ]}
          />
        )}
      </Loaded>
      <Loaded query={links} rows={1}>
        {links =>
          links.length > 0 && (
            <>
              <h3 className="note muted" style={{ margin: '16px 0 8px' }}>
                วิธีเข้าสู่ระบบที่เชื่อมไว้
              </h3>
              {links.map(link => (
                <LinkWords key={link.provider} link={link} />
              ))}
            </>
          )
        }
      </Loaded>
    </>
  )
}
