CREATE TABLE "currency_rate" (
	"currency" text PRIMARY KEY NOT NULL,
	"satang_per_unit" numeric NOT NULL,
	"source" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "voucher" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package_id" integer NOT NULL,
	"batch_id" uuid,
	"attempt_id" uuid,
	"order_id" uuid,
	"state" text NOT NULL,
	"sealed" text NOT NULL,
	"hash" text NOT NULL,
	"last_four" text NOT NULL,
	"expires_on" date,
	"region" text DEFAULT '' NOT NULL,
	"cost_satang" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"reserved_at" timestamp (3) with time zone,
	"sold_at" timestamp (3) with time zone,
	"revealed_at" timestamp (3) with time zone,
	"revealed_on" text,
	CONSTRAINT "voucher_hash" UNIQUE("hash"),
	CONSTRAINT "voucher_owned" CHECK (("voucher"."state" IN ('reserved', 'sold')) = ("voucher"."order_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "voucher_batch" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package_id" integer NOT NULL,
	"name" text NOT NULL,
	"pieces" integer NOT NULL,
	"cost_satang" bigint NOT NULL,
	"imported_by" text NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- safe: what takes its place allows all that it allowed.
ALTER TABLE "package" DROP CONSTRAINT "package_automatic";--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "delivers" text DEFAULT 'top_up' NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "sources" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "warning" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "redeem_help" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "low_stock" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "is_out" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "supplier" ADD COLUMN "broken_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "supplier" ADD COLUMN "last_callback_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "supplier_attempt" ADD COLUMN "place" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "supplier_attempt" ADD COLUMN "brought_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "supplier_attempt" ADD COLUMN "delivers" text DEFAULT 'top_up' NOT NULL;--> statement-breakpoint
ALTER TABLE "voucher" ADD CONSTRAINT "voucher_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher" ADD CONSTRAINT "voucher_batch_id_voucher_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."voucher_batch"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_batch" ADD CONSTRAINT "voucher_batch_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "voucher_free" ON "voucher" USING btree ("package_id","expires_on","id") WHERE "voucher"."state" = 'free';--> statement-breakpoint
CREATE INDEX "voucher_order" ON "voucher" USING btree ("order_id") WHERE "voucher"."order_id" IS NOT NULL;--> statement-breakpoint
-- safe: the previous server writes a product for every automatic package.
ALTER TABLE "package" ADD CONSTRAINT "package_automatic" CHECK (NOT "package"."is_automatic" OR (jsonb_array_length("package"."sources") > 0 AND "package"."cost_satang" IS NOT NULL) OR "package"."supplier_sku" IS NOT NULL);--> statement-breakpoint
UPDATE "package" SET "sources" = jsonb_build_array(jsonb_build_object('supplier', 'seagm', 'sku', "supplier_sku", 'costSatang', NULL))
  WHERE "supplier_sku" IS NOT NULL;
