import * as account from '@shop/shared/account/endpoints.ts'
import { sendOwnerCode } from '@shop/shared/account/pin-endpoints.ts'
import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import * as manage from '@shop/shared/catalogue/manage-endpoints.ts'
import { saveMethodTerms, savePaymentMethods } from '@shop/shared/catalogue/method-endpoints.ts'
import * as pictures from '@shop/shared/catalogue/picture-endpoints.ts'
import * as chat from '@shop/shared/chat/endpoints.ts'
import { learnFriendship } from '@shop/shared/chat/friendship.ts'
import { creditOwedRefund, giveWithdrawalPayee } from '@shop/shared/credit/endpoints.ts'
import * as dashboard from '@shop/shared/dashboard/endpoints.ts'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import { closeCharge, closeJob, retryJob } from '@shop/shared/health/endpoints.ts'
import * as mail from '@shop/shared/mail/endpoints.ts'
import { chargeOrder, confirmCharge, transferInstead } from '@shop/shared/order/charge-endpoints.ts'
import { askRefund, giveNewsAddress } from '@shop/shared/order/correction-endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import * as queue from '@shop/shared/order/queue-endpoints.ts'
import { endAgentKey } from '@shop/shared/reseller/key-endpoints.ts'
import { closeLostPurchase, closeLostSlip } from '@shop/shared/restore/endpoints.ts'
import { publishTerms } from '@shop/shared/settings/endpoints.ts'
import * as files from '@shop/shared/statement/import-endpoints.ts'
import { refundToPayer } from '@shop/shared/statement/refund-endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import * as vouchers from '@shop/shared/voucher/endpoints.ts'
import * as codes from '@shop/shared/voucher/reveal-endpoints.ts'
import { addGatewayTopUp, chargeTopUp } from '@shop/shared/wallet/top-up-endpoints.ts'

/** Calls that write and move no value, and why. What only reads is left out: it changes nothing. */
export const QUIET: readonly { because: string; calls: readonly EndpointShape[] }[] = [
  {
    because: 'they are about the caller’s own account and sign-in; another’s are tried as ways',
    calls: [
      account.syncAccount,
      account.acceptTerms,
      account.startLineSignIn,
      account.createCustomToken,
      account.startLink,
      account.linkLine,
      account.unlinkProvider,
      account.enrolTotp,
      account.confirmTotp,
      stepDown,
      sendOwnerCode,
      learnFriendship,
    ],
  },
  {
    because: 'they change what the shop shows, and no price',
    calls: [
      manage.saveGame,
      manage.reorderGames,
      manage.saveGameTags,
      manage.reorderPackages,
      savePaymentMethods,
      manage.saveBanner,
      manage.reorderBanners,
      publishTerms,
    ],
  },
  {
    because: 'they keep a file that nothing follows from by itself',
    calls: [...Object.values<unknown>(pictures).filter(isEndpoint), uploadSlip, files.previewStatementFile],
  },
  {
    because: 'they keep an amount or a claim for a while, and send a message once more',
    calls: [orders.holdPrice, queue.renewClaim, chat.resendChatMessages, mail.resendMails],
  },
  {
    because: 'what a way to pay costs goes to the shop alone, and buyers see it before they pay',
    calls: [saveMethodTerms],
  },
  {
    because: 'they ask for money; it comes by the gateway’s word alone, and pays one order or top-up, or is owed',
    calls: [confirmCharge, chargeOrder, transferInstead, addGatewayTopUp, chargeTopUp],
  },
  {
    because: 'a case is closed with a word; its money moves by the bank line alone',
    calls: [closeLostSlip, closeLostPurchase],
  },
  {
    because: 'codes go into the stock and out of it to nobody; what somebody sees or is handed is tried as a way',
    calls: [vouchers.previewCodes, vouchers.importCodes, vouchers.withdrawVouchers, vouchers.returnVouchers],
  },
  {
    because: 'what the gateway or a job still brings is decided as ever, whether somebody asks again or closes it',
    calls: [closeCharge, retryJob, closeJob],
  },
  {
    because: 'a buyer asks for their own money and says where it goes back to, and a guest where they are told of it',
    calls: [refundToPayer, giveWithdrawalPayee, askRefund, giveNewsAddress],
  },
  {
    because: 'what a buyer wants as credit was made owed before; it counts to the day of who pays it',
    calls: [creditOwedRefund],
  },
  {
    because:
      'a guest says where a number goes that opens their own codes; whether others can is tried in order/codes.test.ts',
    calls: [codes.giveCodeAddress, codes.sendCodeNumber],
  },
  {
    because: 'they keep an agent’s machine from spending; whoever makes a key has the agent’s PIN',
    calls: [endAgentKey],
  },
  { because: 'they read, though they are no GET', calls: Object.values<unknown>(dashboard).filter(isEndpoint) },
]

function isEndpoint(value: unknown): value is EndpointShape {
  return typeof value === 'object' && value !== null && 'path' in value && 'reply' in value
}
