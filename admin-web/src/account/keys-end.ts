import type { Me } from '@shop/shared/account/endpoints.ts'

/** What else happens to an account when the shop ends its sessions, as the last words of a notice; '' for most. */
export const keysEnd = ({ role }: Pick<Me, 'role'>): string =>
  role === 'agent' ? ' คีย์ API และปลายทางแจ้งเหตุการณ์ทั้งหมดถูกยกเลิก ตัวแทนต้องสร้างใหม่' : ''
