import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import type { Claims } from './identity-provider.ts'
import type { Account } from './store.ts'

/** An account as its owner and staff see it. */
export function meOf(account: Account): Me {
  const displayName = `${account.name} ${account.surname}`.trim() || account.username || account.email || 'ลูกค้า'
  return {
    uid: account.uid,
    username: account.username,
    providers: account.providers,
    name: account.name,
    surname: account.surname,
    displayName,
    tel: account.tel,
    email: account.email,
    emailVerified: account.emailVerified,
    reward: account.reward,
    createdDate: account.createdAt.toISOString(),
    isActived: account.status === 'pending' ? null : account.status === 'active',
    role: account.role,
    roleName: ROLE_LABELS[account.role],
    isPasswordChange: account.isPasswordChange,
    isPinChange: account.isPinChange,
    hasWallet: account.walletId !== null,
  }
}

/** The claims that the account's tokens carry. */
export function claimsOf(account: Pick<Account, 'role' | 'isPasswordChange' | 'isPinChange'>): Claims {
  return { role: account.role, ispasswordchange: account.isPasswordChange, ispinchange: account.isPinChange }
}

const LINE_UID = 'line:'

/** Uid of the account that a LINE identity has of its own. */
export const uidOfLine = (sub: string): string => LINE_UID + sub

/** Whether an account is a LINE identity's own, which cannot be taken from it. */
export const isOwnLineAccount = (uid: string): boolean => uid.startsWith(LINE_UID)
