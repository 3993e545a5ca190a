CREATE TABLE "charge" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"gateway" text NOT NULL,
	"method" text NOT NULL,
	"amount_satang" bigint NOT NULL,
	"surcharge_satang" bigint NOT NULL,
	"is_live" boolean NOT NULL,
	"state" text NOT NULL,
	"reference" text,
	"is_wanted" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"fee_satang" bigint,
	"pay" jsonb,
	"contradiction" text,
	CONSTRAINT "charge_amounts" CHECK ("charge"."amount_satang" > 0 AND "charge"."surcharge_satang" >= 0 AND "charge"."surcharge_satang" < "charge"."amount_satang"),
	CONSTRAINT "charge_paid" CHECK (("charge"."state" = 'paid') = ("charge"."paid_at" IS NOT NULL))
);
--> statement-breakpoint
-- safe: it comes back in this file, and allows all that the previous server writes
ALTER TABLE "orders" DROP CONSTRAINT "orders_payment";--> statement-breakpoint
ALTER TABLE "payment_method" ADD COLUMN "is_on" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_method" ADD COLUMN "least_satang" bigint;--> statement-breakpoint
ALTER TABLE "payment_method" ADD COLUMN "most_satang" bigint;--> statement-breakpoint
ALTER TABLE "payment_method" ADD COLUMN "surcharge_basis_points" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_method" ADD COLUMN "surcharge_satang" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_method" ADD COLUMN "opening_hours" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "charge_id" uuid;--> statement-breakpoint
CREATE INDEX "charge_order" ON "charge" USING btree ("order_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "charge_reference" ON "charge" USING btree ("gateway","reference");--> statement-breakpoint
CREATE INDEX "charge_created" ON "charge" USING btree ("gateway","created_at");--> statement-breakpoint
CREATE INDEX "charge_contradiction" ON "charge" USING btree ("id") WHERE "charge"."contradiction" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_charge_id_charge_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."charge"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
-- safe: the previous server leaves the column empty
CREATE UNIQUE INDEX CONCURRENTLY "owed_refund_charge" ON "owed_refund" USING btree ("charge_id") WHERE "owed_refund"."charge_id" IS NOT NULL;--> statement-breakpoint
-- safe: it allows all that the previous server writes
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment" CHECK (("orders"."payment" = 'bank' AND "orders"."receiving_account_id" IS NOT NULL AND "orders"."tail_satang" >= 1)
       OR ("orders"."payment" = 'wallet' AND "orders"."wallet_id" IS NOT NULL AND "orders"."tail_satang" = 0)
       OR ("orders"."payment" IN ('promptpay', 'truemoney', 'shopeepay', 'linepay') AND "orders"."receiving_account_id" IS NULL
         AND "orders"."wallet_id" IS NULL AND "orders"."tail_satang" = 0)) NOT VALID;--> statement-breakpoint
INSERT INTO "payment_method" ("code", "name", "position")
  SELECT code, name, position FROM (VALUES ('promptpay', 'พร้อมเพย์ QR', 3), ('truemoney', 'TrueMoney Wallet', 4),
    ('shopeepay', 'ShopeePay', 5), ('linepay', 'LINE Pay', 6)) AS added (code, name, position)
  WHERE EXISTS (SELECT FROM "payment_method") ON CONFLICT DO NOTHING;
