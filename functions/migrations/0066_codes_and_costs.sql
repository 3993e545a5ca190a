CREATE TABLE "price_rule" (
	"game_id" integer NOT NULL,
	"target" text NOT NULL,
	"basis_points" integer NOT NULL,
	"fixed_satang" bigint NOT NULL,
	"least_satang" bigint NOT NULL,
	"rounding" text NOT NULL,
	CONSTRAINT "price_rule_game_id_target_pk" PRIMARY KEY("game_id","target"),
	CONSTRAINT "price_rule_earns" CHECK ("price_rule"."basis_points" >= 0 AND "price_rule"."fixed_satang" >= 0 AND "price_rule"."least_satang" >= 0)
);
--> statement-breakpoint
CREATE TABLE "supplier_list" (
	"supplier" text PRIMARY KEY NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"doubted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "supplier_product" (
	"supplier" text NOT NULL,
	"sku" text NOT NULL,
	"name" text NOT NULL,
	"delivers" text NOT NULL,
	"price" text NOT NULL,
	"currency" text NOT NULL,
	"cost_satang" bigint,
	"is_in_stock" boolean NOT NULL,
	"region" text NOT NULL,
	"fields" text[] NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "supplier_product_supplier_sku_pk" PRIMARY KEY("supplier","sku")
);
--> statement-breakpoint
CREATE TABLE "supplier_product_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"supplier" text NOT NULL,
	"sku" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"from_price" text,
	"to_price" text,
	"from_satang" bigint,
	"to_satang" bigint,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
	"reveals" integer DEFAULT 0 NOT NULL,
	"withdrawn_at" timestamp (3) with time zone,
	"withdrawn_by" text,
	"withdrawn_reason" text,
	"held_at" timestamp (3) with time zone,
	CONSTRAINT "voucher_hash" UNIQUE("hash"),
	CONSTRAINT "voucher_owned" CHECK ("voucher"."state" = 'withdrawn' OR ("voucher"."state" = 'free') = ("voucher"."order_id" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "voucher_address" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"number_hash" text,
	"sent_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL
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
CREATE TABLE "voucher_draft" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package_id" integer NOT NULL,
	"sealed" text NOT NULL,
	"made_by" text NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- safe: what takes its place allows all that it allowed.
ALTER TABLE "package" DROP CONSTRAINT "package_automatic";--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "player_checks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "follows_cost" boolean DEFAULT false NOT NULL;--> statement-breakpoint
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
ALTER TABLE "price_rule" ADD CONSTRAINT "price_rule_game_id_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."game"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher" ADD CONSTRAINT "voucher_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher" ADD CONSTRAINT "voucher_batch_id_voucher_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."voucher_batch"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_batch" ADD CONSTRAINT "voucher_batch_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voucher_draft" ADD CONSTRAINT "voucher_draft_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "supplier_product_change_at" ON "supplier_product_change" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "voucher_of_package" ON "voucher" USING btree ("package_id","id");--> statement-breakpoint
CREATE INDEX "voucher_of_batch" ON "voucher" USING btree ("batch_id") WHERE "voucher"."batch_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "voucher_last_four" ON "voucher" USING btree ("last_four");--> statement-breakpoint
CREATE INDEX "voucher_free" ON "voucher" USING btree ("package_id","expires_on","id") WHERE "voucher"."state" = 'free';--> statement-breakpoint
CREATE INDEX "voucher_order" ON "voucher" USING btree ("order_id") WHERE "voucher"."order_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "voucher_address_given" ON "voucher_address" USING btree ("given_at");--> statement-breakpoint
-- safe: the previous server writes a product for every automatic package.
ALTER TABLE "package" ADD CONSTRAINT "package_automatic" CHECK (NOT "package"."is_automatic" OR (jsonb_array_length("package"."sources") > 0 AND "package"."cost_satang" IS NOT NULL) OR "package"."supplier_sku" IS NOT NULL);--> statement-breakpoint
UPDATE "package" SET "sources" = jsonb_build_array(jsonb_build_object('supplier', 'seagm', 'sku', "supplier_sku", 'costSatang', NULL))
  WHERE "supplier_sku" IS NOT NULL;--> statement-breakpoint
UPDATE "game" SET "player_checks" = jsonb_build_array(jsonb_build_object('by', "player_check", 'gameCode', ''))
  WHERE "player_check" IS NOT NULL;
