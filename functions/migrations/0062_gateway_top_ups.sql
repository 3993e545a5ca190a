-- safe: the previous server gives every charge its order
ALTER TABLE "charge" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "charge" ADD COLUMN "top_up_id" uuid;--> statement-breakpoint
ALTER TABLE "top_up" ADD COLUMN "payment" text DEFAULT 'bank' NOT NULL;--> statement-breakpoint
ALTER TABLE "top_up" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "charge_top_up" ON "charge" USING btree ("top_up_id","id") WHERE "charge"."top_up_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "top_up_unpaid" ON "top_up" USING btree ("expires_at") WHERE "top_up"."status" = 'waiting_payment';--> statement-breakpoint
-- safe: the previous server gives every charge its order and nothing else
ALTER TABLE "charge" ADD CONSTRAINT "charge_owner" CHECK (num_nonnulls("charge"."order_id", "charge"."top_up_id") = 1) NOT VALID;--> statement-breakpoint
-- safe: the previous server writes transfers alone, which have the default, and decides only about what waits for approval
ALTER TABLE "top_up" ADD CONSTRAINT "top_up_payment" CHECK (("top_up"."payment" = 'bank' AND "top_up"."expires_at" IS NULL AND "top_up"."status" NOT IN ('waiting_payment', 'expired'))
       OR ("top_up"."payment" IN ('promptpay', 'truemoney', 'shopeepay', 'linepay') AND "top_up"."expires_at" IS NOT NULL AND "top_up"."slip_id" IS NULL
         AND "top_up"."receiving_account_id" IS NULL AND "top_up"."status" NOT IN ('waiting_approve', 'reject'))) NOT VALID;