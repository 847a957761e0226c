// SPDX-License-Identifier: Apache-2.0
#include "plan/iocost_tuning.hpp"

#include "catch.hpp"

using namespace penstock;

namespace {

// As Linux 6.1 shows a device that nobody has told anything, and one that was told.
constexpr const char* guessed = "8:0 ctrl=auto model=linear rbps=174019176 rseqiops=41708 rrandiops=370 wbps=178075866 "
                                "wseqiops=42705 wrandiops=378";
constexpr const char* told = "8:0 ctrl=user model=linear rbps=1 rseqiops=2 rrandiops=3 wbps=4 wseqiops=5 wrandiops=6";
constexpr const char* off = "8:0 enable=0 ctrl=auto rpct=0.00 rlat=250000 wpct=0.00 wlat=250000 min=1.00 max=10000.00";
constexpr const char* on = "8:0 enable=1 ctrl=user rpct=95.00 rlat=5000 wpct=95.00 wlat=5000 min=50.00 max=150.00";

const IocostSettings settings{{10, 20, 30, 40, 50, 60}, strict_iocost_qos, "as given"};

IocostState state(std::string schedulers, std::string model, std::string qos) {
    return {{8, 0}, "/sys/fs/cgroup", std::move(schedulers), std::move(model), std::move(qos)};
}

} // namespace

TEST_CASE("a model has all six numbers, in any order") {
    const auto model = parse_iocost_model("wrandiops=6 rbps=1 rseqiops=2  rrandiops=3 wbps=4 wseqiops=5");
    REQUIRE(model);
    CHECK(*model == IocostModel{1, 2, 3, 4, 5, 6});
    CHECK(model->text() == "rbps=1 rseqiops=2 rrandiops=3 wbps=4 wseqiops=5 wrandiops=6");
}

TEST_CASE("a model that is not one is refused by the word that is wrong") {
    CHECK(parse_iocost_model("rbps=1").error().text().find("rseqiops is missing") != std::string::npos);
    CHECK(parse_iocost_model("rbps=0").error().text().find("'rbps=0'") != std::string::npos);
    CHECK(parse_iocost_model("rbps=-1").error().text().find("'rbps=-1'") != std::string::npos);
    CHECK(parse_iocost_model("rbps").error().text().find("'rbps'") != std::string::npos);
    CHECK(parse_iocost_model("speed=1").error().text().find("'speed=1'") != std::string::npos);
}

TEST_CASE("iocost is told of less than was measured") {
    CHECK(with_headroom({1000, 200, 100, 1, 2, 10}) == IocostModel{850, 170, 85, 1, 1, 8});
}

TEST_CASE("the model comes before iocost is switched on, and each write has one that puts it back") {
    const auto writes = plan_iocost_tuning(state("[none] mq-deadline", "", ""), settings);
    REQUIRE(writes.size() == 2);
    CHECK(writes[0].file == "/sys/fs/cgroup/io.cost.model");
    CHECK(writes[0].value ==
          "8:0 ctrl=user model=linear rbps=10 rseqiops=20 rrandiops=30 wbps=40 wseqiops=50 wrandiops=60");
    CHECK(writes[0].before == "8:0 ctrl=auto");
    CHECK(writes[1].file == "/sys/fs/cgroup/io.cost.qos");
    CHECK(writes[1].value == "8:0 enable=1 ctrl=user rpct=0.00 wpct=0.00 min=100.00 max=100.00");
    CHECK(writes[1].before == "8:0 enable=0");
}

TEST_CASE("what the kernel chose it chooses again, what a person gave is kept word by word") {
    const auto chosen = plan_iocost_tuning(state("[none]", guessed, off), settings);
    CHECK(chosen[0].before == "8:0 ctrl=auto");
    CHECK(chosen[1].before == "8:0 enable=0 ctrl=auto");
    const auto given = plan_iocost_tuning(state("[none]", guessed, on), settings);
    CHECK(given[1].before == on);
    const auto model = plan_iocost_tuning(state("[none]", told, off), settings);
    CHECK(model[0].before == told);
}

TEST_CASE("where iocost acts by a given model there is nothing to do; by the kernel's guess there is") {
    CHECK(plan_iocost_tuning(state("[none]", told, on), settings).empty());
    CHECK(plan_iocost_tuning(state("[none]", guessed, on), settings).size() == 2);
}

TEST_CASE("BFQ makes room, for what there is") {
    const auto deadline = plan_iocost_tuning(state("none mq-deadline [bfq]", "", ""), settings);
    REQUIRE(deadline.size() == 3);
    CHECK(deadline[0].file == "queue/scheduler");
    CHECK(deadline[0].value == "mq-deadline");
    CHECK(deadline[0].before == "bfq");
    CHECK(plan_iocost_tuning(state("none [bfq]", "", ""), settings)[0].value == "none");
}
