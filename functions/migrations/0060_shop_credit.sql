CREATE TABLE "credit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"balance_satang" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "credit_uid_unique" UNIQUE("uid"),
	CONSTRAINT "credit_balance_not_negative" CHECK ("credit"."balance_satang" >= 0)
);
--> statement-breakpoint
-- safe: it comes back in this file, and allows all that the previous server writes
ALTER TABLE "orders" DROP CONSTRAINT "orders_payment";--> statement-breakpoint
-- safe: it comes back in this file, and allows all that the previous server writes
ALTER TABLE "owed_refund" DROP CONSTRAINT "owed_refund_sent";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "credit_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "credit_satang" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "credit_id" uuid;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "from_credit_id" uuid;--> statement-breakpoint
ALTER TABLE "credit" ADD CONSTRAINT "credit_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_credit_id_credit_id_fk" FOREIGN KEY ("credit_id") REFERENCES "public"."credit"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_credit_id_credit_id_fk" FOREIGN KEY ("credit_id") REFERENCES "public"."credit"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_from_credit_id_credit_id_fk" FOREIGN KEY ("from_credit_id") REFERENCES "public"."credit"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_due" ON "orders" USING btree (("price_satang" + "tail_satang" - "credit_satang"),"created_at","id");--> statement-breakpoint
-- safe: it allows all that the previous server writes
ALTER TABLE "orders" ADD CONSTRAINT "orders_credit" CHECK ("orders"."credit_satang" = 0 OR ("orders"."credit_satang" BETWEEN 1 AND "orders"."price_satang" - 1 AND "orders"."credit_id" IS NOT NULL
        AND "orders"."payment" NOT IN ('wallet', 'credit'))) NOT VALID;--> statement-breakpoint
-- safe: it allows all that the previous server writes
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment" CHECK (("orders"."payment" = 'bank' AND "orders"."receiving_account_id" IS NOT NULL AND "orders"."tail_satang" >= 1)
       OR ("orders"."payment" = 'wallet' AND "orders"."wallet_id" IS NOT NULL AND "orders"."tail_satang" = 0)
       OR ("orders"."payment" IN ('promptpay', 'truemoney', 'shopeepay', 'linepay') AND "orders"."receiving_account_id" IS NULL
         AND "orders"."wallet_id" IS NULL AND "orders"."tail_satang" = 0)
       OR ("orders"."payment" = 'credit' AND "orders"."credit_id" IS NOT NULL AND "orders"."receiving_account_id" IS NULL
         AND "orders"."wallet_id" IS NULL AND "orders"."tail_satang" = 0)) NOT VALID;--> statement-breakpoint
-- safe: it allows all that the previous server writes
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_sent" CHECK (num_nonnulls("owed_refund"."sent_at", "owed_refund"."sent_by", "owed_refund"."sent_from_id", "owed_refund"."reference") IN (0, 4)
        OR ("owed_refund"."sent_at" IS NOT NULL AND "owed_refund"."credit_id" IS NOT NULL AND num_nonnulls("owed_refund"."sent_from_id", "owed_refund"."reference") = 0)) NOT VALID;--> statement-breakpoint
INSERT INTO "payment_method" ("code", "name", "position")
  SELECT 'credit', 'เครดิตร้าน', 7 WHERE EXISTS (SELECT FROM "payment_method") ON CONFLICT DO NOTHING;
