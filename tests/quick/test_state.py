"""States: entries and their refusals, files, class statistics, the exact geometry against the floating-point one."""

import hashlib
import io
import json
import zipfile
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb, fmpq

from certify.exact.ball import working_precision
from certify.exact.truth import Truth, less
from certify.learning import class_sums, load, mixture, patt, proco, realized, save, shipped, squared_resultant, state, update
from certify.learning.committed import FOLDER, names
from certify.learning.enclosure import enclose
from certify.learning.files import arrays, digest, entries_of
from certify.learning.geometry import LAYOUTS, concentrations, gap, radii
from certify.learning.objective import group_means, ladder
from certify.realizations.tensor.closed_form import ClosedForm


def entries(**changes):
    """Three classes in four dimensions; None removes an entry."""
    found = {
        "means": np.array([[0.5, 0, 0, 0], [0, 0.25, 0, 0.25], [0, 0, 0, 0]]),
        "counts": np.array([4, 2, 1]),
        "features": np.ones((2, 5, 4)) / 2,
        "labels": np.array([0, 1, 2, 0, 1]),
        "temperature": 0.25,
    }
    return {name: value for name, value in {**found, **changes}.items() if value is not None}


def changed(name, index, value):
    array = np.array(entries()[name], dtype=float if name != "labels" else int)
    array[index] = value
    return {name: array}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": np.ones(3)}, "unknown entry 'weights'"),
        ({"labels": None}, "no entry 'labels'"),
        ({"sums": np.ones((3, 4))}, "one of 'means' and 'sums'"),
        ({"means": None}, "one of 'means' and 'sums'"),
        (changed("means", (1, 2), np.nan), r"means\[1, 2\] is nan"),
        (changed("features", (1, 3, 2), np.inf), r"features\[1, 3, 2\] is inf"),
        (changed("features", (0, 0, 0), 1e40), r"features\[0, 0, 0\] is 1e\+40"),
        (changed("counts", 1, 0), r"counts\[1\] is 0.0: numbers > 0"),
        ({"counts": np.ones(1)}, "two classes at least"),
        ({"counts": np.ones(4)}, "means has 3 rows, counts has 4 entries"),
        ({"counts": np.array(["a", "b", "c"])}, "counts has dtype"),
        ({"counts": np.ones((3, 1))}, r"counts has shape \(3, 1\)"),
        ({"priors": np.array([1.0, 0.0, 1.0])}, r"priors\[1\] is 0.0"),
        ({"priors": np.ones(2)}, "priors has 2 entries, there are 3 classes"),
        (changed("labels", 3, 3), r"labels\[3\] is 3: 0 to 2"),
        (changed("labels", 0, -1), r"labels\[0\] is -1"),
        ({"labels": np.zeros(5)}, "labels have dtype float64"),
        ({"labels": np.zeros(4, int)}, r"shape \(4,\): 5 integers"),
        ({"features": np.ones((5, 3))}, "features have dimension 3, the class means 4"),
        ({"features": np.ones((0, 4))}, r"features has shape \(0, 4\)"),
        ({"features": np.ones(4)}, "2 or 3 dimensions"),
        ({"features": [[1.0], [1.0, 2.0]]}, "features is no array of numbers"),
        ({"features": torch.ones(5, 4, dtype=torch.bfloat16)}, "features is no array of numbers"),
        ({"means": np.ones((3, 2)) / 2, "features": np.ones((5, 2))}, "dimension p = 2: p >= 3"),
        ({"temperature": 0.0}, r"temperature is 0.0: one number"),
        ({"temperature": np.array([0.1, 0.2])}, "temperature is"),
        ({"temperature": np.nan}, "is nan"),
        (changed("means", (0, 0), 1.0), r"means\[0\] has length 1: .*--cap"),
    ],
)
def test_each_bad_entry_is_named_in_one_line(changes, message):
    with pytest.raises(ValueError, match=message) as refused:
        state(entries(**changes))
    assert "\n" not in str(refused.value)


def test_entries_that_are_left_out_have_their_defaults():
    found = state(entries(features=np.ones((5, 4))))
    assert (found.views, found.samples, found.classes, found.order) == (1, 5, 3, 1)
    assert state(entries(features=torch.ones(5, 4, requires_grad=True))).features.dtype == np.float32  # what training has at hand
    assert found.priors.tolist() == [4 / 7, 2 / 7, 1 / 7]
    assert (
        state(entries(means=None, sums=np.array([[2.0, 0, 0, 0], [0, 0.5, 0, 0.5], [0, 0, 0, 0]]))).means.tolist()
        == entries()["means"].tolist()
    )


def test_a_cap_bounds_every_concentration_and_its_classes_are_counted():
    long = entries(**changed("means", (0, 0), 1.0))
    found = state(long, cap="1e5")
    assert found.capped().tolist() == [True, False, False]
    assert concentrations(found).tolist()[0] == 1e5
    lower = state(long, cap="1/2")  # the second class has κ = 4·√(1/8)/(7/8) ≈ 1.6
    assert lower.capped().tolist() == [True, True, False]
    assert torch.allclose(concentrations(lower), torch.tensor([0.5, 0.5, 0.0], dtype=torch.float64), rtol=1e-15)
    exact = next(sample.concentrations for view in enclose(lower) for sample in view)
    assert all(
        less(abs(kappa - value), fmpq(1, 10**30)) is Truth.YES for kappa, value in zip(exact, (fmpq(1, 2), fmpq(1, 2), 0), strict=True)
    )
    with pytest.raises(ValueError, match="cap = -1"):
        state(long, cap=-1)
    for cap in ("1e9999", "1e-9999"):
        with pytest.raises(ValueError, match="cap = .* from 2.-100 to 2.100 are accepted"):
            state(long, cap=cap)


def test_only_the_first_samples():
    found = state(entries())
    assert found.first(2).labels.tolist() == [0, 1]
    with pytest.raises(ValueError, match="samples = 0"):
        found.first(0)


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_state_is_read_as_it_was_written(tmp_path):
    found = state(entries())
    for _ in range(2):
        save(tmp_path / "a.npz", found)
    first = hashlib.sha256((tmp_path / "a.npz").read_bytes()).hexdigest()
    save(tmp_path / "b.npz", load(tmp_path / "a.npz"))
    assert hashlib.sha256((tmp_path / "b.npz").read_bytes()).hexdigest() == first
    assert digest(entries_of(found)) == digest(arrays(tmp_path / "b.npz"))


def test_safetensors_files_are_read(tmp_path):
    save_file = pytest.importorskip("safetensors.numpy").save_file
    plain = {name: np.ascontiguousarray(value) for name, value in entries().items()}
    save_file({**plain, "temperature": np.array([0.25])}, tmp_path / "a.safetensors")
    assert digest(entries_of(load(tmp_path / "a.safetensors"))) == digest(entries_of(state(entries())))


def test_pickled_objects_are_refused_and_not_executed(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "executed"), "w"))

    np.savez(tmp_path / "a.npz", **{**entries(), "means": np.array([Trap()], dtype=object)})
    with pytest.raises(ValueError, match=r"not a \.npz file of plain arrays"):
        load(tmp_path / "a.npz")
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nothing", b"\x00" * 64, b"\xff\xff\xff\xff\xff\xff\xff\x7f{}"])
@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_damaged_files_are_refused(tmp_path, suffix, content):
    (tmp_path / f"a{suffix}").write_bytes(content)
    with pytest.raises(ValueError, match="not a"):
        load(tmp_path / f"a{suffix}")


def test_other_files_and_absent_ones_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.npz and \.safetensors"):
        load(tmp_path / "a.pt")
    with pytest.raises(ValueError, match="cannot read"):
        load(tmp_path / "a.npz")


def test_arrays_that_unpack_to_too_much_are_refused(tmp_path):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("means.npy", "w", force_zip64=True) as entry:
        for _ in range(2**11):
            entry.write(bytes(2**19 + 1))
    (tmp_path / "a.npz").write_bytes(content.getvalue())
    with pytest.raises(ValueError, match="at most"):
        load(tmp_path / "a.npz")


def test_the_shipped_states_are_those_of_their_digests():
    assert names() == ["confident", "diffuse"]
    for name, known in json.loads((FOLDER / "digests.json").read_text()).items():
        assert digest(entries_of(shipped(name))) == known
    with pytest.raises(ValueError, match="confident, diffuse are there"):
        shipped("other")


# Class statistics -----------------------------------------------------------------------------------------------------


def test_batches_in_any_order_give_the_means_of_all():
    """Integer features: every number is exact."""
    random = np.random.RandomState(1)
    features, labels = random.randint(-8, 9, (64, 5)).astype(float), random.randint(0, 4, 64)
    sums, counts = class_sums(features, labels, 4)
    for j in range(4):
        assert sums[j].tolist() == features[labels == j].sum(0).tolist()
    means, seen = np.zeros((4, 5)), np.zeros(4, int)
    for part in np.split(np.arange(64), [3, 4, 40]):
        means, seen = update(means, seen, features[part], labels[part])
    assert seen.tolist() == counts.tolist()
    assert np.allclose(means, sums / counts[:, None], rtol=1e-13, atol=1e-13)
    kept, _ = update(means, seen, features[:0], labels[:0])
    assert kept.tolist() == means.tolist()


def test_labels_out_of_range_are_refused():
    with pytest.raises(ValueError, match="labels run from 0 to 4"):
        class_sums(np.ones((2, 3)), np.array([0, 4]), 4)
    with pytest.raises(ValueError, match="N×p and N"):
        class_sums(np.ones((2, 3)), np.array([0]), 4)


def test_the_squared_length_of_a_mean_is_the_sum_of_its_parts():
    features = np.array([[3.0, 0, 4], [0, 1, 0], [1, 1, 1]])
    own, pairs = squared_resultant(features)
    assert Fraction(own) + Fraction(pairs) == pytest.approx(float(np.square(features.mean(0)).sum()), rel=1e-15)
    assert own == pytest.approx((25 + 1 + 3) / 9, rel=1e-15)


def test_the_estimate_is_above_the_concentration_and_below_p_over_p_minus_1_times_it():
    """Claim state.concentration: κ by inversion of the ratio, in balls."""
    from certify.exact.bessel import concentration

    for p, R in ((3, "1/10"), (64, "9/10"), (1024, "99/100")):
        length = fmpq(*map(int, R.split("/")))
        estimate = p * length / (1 - length**2)
        kappa = concentration(fmpq(p, 2) - 1, length)
        assert less(kappa, estimate) is Truth.YES
        assert less(fmpq(p - 1, p) * estimate, kappa) is Truth.YES


# Geometry and losses --------------------------------------------------------------------------------------------------


def test_the_exact_geometry_contains_nothing_that_the_floating_point_one_contradicts():
    found = mixture((50, 500), classes=5, dimension=16, samples=3)
    for v, view in enumerate(enclose(found)):
        features = torch.from_numpy(found.features[v]).double()
        for layout in LAYOUTS:
            computed = radii(found, features, layout)
            for i, sample in enumerate(view):
                for r, value in zip(sample.radii, computed[i].tolist(), strict=True):
                    assert less(abs(r - value), abs(r) / 10**12) is Truth.YES
        squares = gap(found, features)
        for i, sample in enumerate(view):
            for r, kappa, value in zip(sample.radii, sample.concentrations, squares[i].tolist(), strict=True):
                assert less(abs(r * r - kappa * kappa - value), abs(r * r) / 10**12) is Truth.YES


def test_an_unknown_layout_is_refused():
    with pytest.raises(ValueError, match="expanded and factorized"):
        radii(state(entries()), torch.ones(1, 4), "other")  # pyright: ignore


def test_float32_geometry_is_worse_in_both_layouts_and_supplied_gradients_agree():
    found = mixture((50, 500), classes=5, dimension=16, samples=3)
    best = patt(found, ladder(1))
    for layout in LAYOUTS:
        same = patt(found, realized(ClosedForm(7.0), layout))
        rough = patt(found, realized(ClosedForm(7.0), layout, torch.float32))
        assert (same.scores - best.scores).abs().max() < 1e-11
        assert (same.gradients - best.gradients).abs().max() < 1e-11
        assert 1e-9 < (rough.scores - best.scores).abs().max() < 1e-3


def test_gradients_are_those_of_finite_differences():
    found, step = mixture((20, 50), classes=4, dimension=8, samples=2, views=1), 1e-6
    analytic = proco(found, ladder(4)).gradients[0, 1]
    for k in range(8):
        losses = []
        for sign in (1, -1):
            features = found.features.astype(np.float64)
            features[0, 1, k] += sign * step
            losses.append(proco(state({**entries_of(found), "features": features}), ladder(4)).losses[0, 1])
        assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(analytic[k].item(), abs=1e-7)


def test_the_losses_of_groups_are_means_over_their_samples_and_the_views():
    found = mixture((50, 500), classes=5, dimension=16, samples=8)
    losses, labels = patt(found, ladder(1)).losses, torch.from_numpy(found.labels)
    means = group_means(losses, labels, {"all": range(5), "first": [0], "none": []})
    assert means["all"] == pytest.approx(losses.mean().item(), rel=1e-15)
    chosen = [losses[v, i].item() for v in range(2) for i in range(8) if labels[i] == 0]
    assert means["first"] == pytest.approx(sum(chosen) / len(chosen), rel=1e-14)
    assert "none" not in means


def test_the_exact_loss_and_gradient_contain_what_bessel_functions_of_arb_give():
    """One sample in p = 4, ν = 1, through Arb's own Bessel functions and the definition of the score."""
    found = state(entries())
    sample = enclose(found)[0][1]
    with working_precision(256):
        scores, steps = [], []
        for mean, feature in ((m, found.features[0, 1]) for m in found.means):
            square = sum((arb(float(x)) ** 2 for x in mean), arb(0))
            rho = [arb(float(a)) * 4 / (1 - square) + arb(float(f)) / arb(0.25) for a, f in zip(mean, feature, strict=True)]
            ends = (4 / (1 - square) * square.sqrt(), sum((x * x for x in rho), arb(0)).sqrt())
            value = [(x.bessel_i(1) / x).log() if x > 0 else -arb(2).log() for x in ends]
            scores.append(value[1] - value[0])
            steps.append([x * ends[1].bessel_i(2) / ends[1].bessel_i(1) / ends[1] / arb(0.25) for x in rho])
        masses = [q.exp() * arb(p) for q, p in zip(scores, found.priors.tolist(), strict=True)]
        total = sum(masses, arb(0))
        gradient = [sum((m / total - (j == 1)) * g[k] for j, (m, g) in enumerate(zip(masses, steps, strict=True))) for k in range(4)]
        assert less(abs(sample.loss(sample.scores) + (masses[1] / total).log()), fmpq(1, 10**20)) is Truth.YES
        for a, b in zip(sample.gradient(sample.masses, sample.quotients), gradient, strict=True):
            assert less(abs(a - b), fmpq(1, 10**20)) is Truth.YES
